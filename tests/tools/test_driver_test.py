"""./test understands its arguments, counts what ctest reports, and says how to repeat a failure."""
import contextlib
import io
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
from unittest import mock

import ctest_run
import test_driver
from ctest_run import Result

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite>
 <testcase name="a.good" status="run"><system-out>fine</system-out></testcase>
 <testcase name="a.bad" status="fail"><failure message=""/><system-out>1 is not 2\x1b[0m</system-out>
 </testcase>
 <testcase name="a.skipped" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
  <system-out>a_test.cpp:4: Skipped
needs two cores

[  SKIPPED ] a.skipped (0 ms)</system-out></testcase>
 <testcase name="a.absent" status="notrun"><skipped message="Unable to find executable"/></testcase>
 <testcase name="a.off" status="disabled"><system-out>Disabled</system-out></testcase>
</testsuite>
"""


def call(*words):
    """Exit code and everything printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = test_driver.main(words)
    return code, out.getvalue()


class Arguments(unittest.TestCase):
    def test_nothing_means_every_part_but_the_long_and_the_quick(self):
        self.assertEqual(test_driver.parse([]).parts, list(test_driver.PARTS))

    def test_several_parts_once_each(self):
        self.assertEqual(test_driver.parse(["lint", "unit", "lint"]).parts, ["lint", "unit"])

    def test_soak_takes_minutes_or_none(self):
        self.assertEqual(test_driver.parse(["soak", "2.5"]).minutes, 2.5)
        self.assertEqual(test_driver.parse(["soak", "lint"]).parts, ["soak", "lint"])
        self.assertEqual(test_driver.parse(["soak", "--only", "x"]).only, "x")

    def test_help_lists_every_part(self):
        code, said = call("--help")
        self.assertEqual(code, 0)
        for part in [*test_driver.NAMES, "soak"]:
            self.assertRegex(said, rf"(?m)^  {part} ")

    def test_what_a_part_runs_is_built_with_its_preset(self):
        # A fuzzer exists under asan only.
        presets = {"report": {"asan"}, "report_page": {"debug"}, "fuzz": {"asan"}}
        for label, wanted in presets.items():
            self.assertIn(label, test_driver.TARGETS)
            steps = [step for part in test_driver.PARTS.values() for step in part.steps]
            self.assertEqual({s.preset for s in steps if label in s.labels.split("|")}, wanted)

    def test_every_label_is_run_by_some_part_of_every_run(self):
        steps = [step for part in test_driver.PARTS.values() for step in part.steps]
        run = {label for step in steps for label in step.labels.split("|")}
        only_elsewhere = {"programs", "survivors", "names"}
        self.assertLessEqual(set(test_driver.TARGETS) - only_elsewhere, run)

    def test_all_parts_together_take_at_most_fifteen_minutes(self):
        self.assertLessEqual(sum(p.budget for p in test_driver.PARTS.values()), 900)

    def test_a_soak_runs_random_programs_with_both_sanitizers(self):
        self.assertEqual([(s.preset, s.labels) for s in test_driver.SOAK],
                         [("release", "stress"), ("asan", "programs"), ("tsan", "programs")])
        self.assertLessEqual({s.labels for s in test_driver.SOAK}, set(test_driver.TARGETS))

    def test_the_tests_of_a_soak_share_its_minutes(self):
        listed = ["echo", "Total Tests: 4"]
        self.assertEqual(test_driver.soak_minutes(listed, test_driver.parse(["soak", "12"])), 1)

    def test_mistakes_are_named_and_exit_with_2(self):
        for words, named in ((["uint"], "'uint'"), (["--fast"], "'--fast'"), (["soak", "x"], "'x'"),
                             (["soak", "0"], "'0'"), (["soak", "-1"], "'-1'"),
                             (["soak", "inf"], "'inf'"), (["unit", "--only"], "--only")):
            code, said = call(*words)
            self.assertEqual(code, 2, words)
            self.assertIn(named, said)


class WithoutPython(unittest.TestCase):
    def test_python_is_the_first_thing_to_be_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            programs = pathlib.Path(folder)
            for tool in ("bash", "dirname"):
                (programs / tool).symlink_to(shutil.which(tool))
            done = subprocess.run([programs / "bash", test_driver.ROOT / "test", "--help"],
                                  env={**os.environ, "PATH": folder}, capture_output=True, text=True,
                                  check=False)
        self.assertIn("on Debian 12 this would need: python3\n", done.stderr)
        self.assertIn("python3: not found", done.stderr)


class Counting(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "junit.xml"
            path.write_text(JUNIT)
            self.results = {r.name: r for r in ctest_run.read_junit(path, {"a.bad": "Timeout"})}

    def test_outcomes(self):
        self.assertEqual({name: r.outcome for name, r in self.results.items()},
                         {"a.good": "passed", "a.bad": "failed", "a.skipped": "skipped",
                          "a.absent": "failed", "a.off": "skipped"})

    def test_reasons_and_output(self):
        self.assertEqual(self.results["a.skipped"].reason, "needs two cores")
        self.assertEqual(self.results["a.bad"].reason, "Timeout")
        self.assertEqual(self.results["a.bad"].output, "1 is not 2?[0m")
        self.assertEqual(self.results["a.absent"].reason, "Unable to find executable")


class Suites(unittest.TestCase):
    """With sanitizers, a test of ctest is a suite of GoogleTest."""
    GOOD = "[ RUN      ] s.a\n[       OK ] s.a (0 ms)\n"
    SKIPPED = "[ RUN      ] s.b\nx.cpp:1: Skipped\nno fork here\n\n[  SKIPPED ] s.b (0 ms)\n"
    BAD = "[ RUN      ] s.c/1\nx.cpp:2: Failure\n[  FAILED  ] s.c/1, where GetParam() = 1 (0 ms)\n"
    SUMMARY = "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] s.c/1, where GetParam() = 1\n"

    def outcomes(self, output, status):
        return {r.name: r.outcome for r in ctest_run.cases_of_suite("s", output, status)}

    def test_each_test_has_its_result(self):
        said = self.GOOD + self.SKIPPED + self.BAD + self.SUMMARY
        self.assertEqual(self.outcomes(said, "fail"),
                         {"s.a": "passed", "s.b": "skipped", "s.c/1": "failed"})
        skipped, bad = ctest_run.cases_of_suite("s", said, "fail")[1:]
        self.assertEqual(skipped.reason, "no fork here")
        self.assertIn("Failure", bad.output)
        self.assertNotIn("s.a", bad.output)
        self.assertEqual(test_driver.repeat_command("asan", bad, test_driver.Arguments([])),
                         "./test asan --only '^s$'")

    def test_a_test_that_does_not_come_to_its_end_has_failed(self):
        self.assertEqual(self.outcomes(self.GOOD + "[ RUN      ] s.d\nboom\n", "fail"),
                         {"s.a": "passed", "s.d": "failed"})

    def test_a_failure_that_no_test_explains_is_one_of_the_suite(self):
        self.assertEqual(self.outcomes(self.GOOD + "LeakSanitizer: detected\n", "fail"), {})

    def test_a_single_test_is_no_suite(self):
        self.assertEqual(ctest_run.cases_of_suite("s.a", self.GOOD, "run"), [])


class BuildsBeside(unittest.TestCase):
    """The next step is built while the tests of a step run."""

    def run_parts(self, prepare, run_tests):
        progress = ctest_run.Progress(interval=1000)
        with mock.patch.multiple(test_driver, prepare=prepare, run_tests=run_tests), \
                contextlib.redirect_stdout(io.StringIO()):
            return test_driver.run_parts(test_driver.parse(["model", "stress"]), progress)

    def test_the_next_part_is_built_while_tests_run(self):
        begun = {"model": threading.Event(), "stress": threading.Event()}

        def prepare(part, *_):
            begun[part].set()

        def run_tests(part, *_):
            self.assertTrue(begun["stress"].wait(10))
            return [Result(part, "passed")]

        found, times = self.run_parts(prepare, run_tests)
        self.assertEqual({part: [r.name for _, r in results] for part, results in found.items()},
                         {"model": ["model"], "stress": ["stress"]})
        self.assertEqual(list(times), ["model", "stress"])

    def test_a_part_whose_build_failed_is_not_tested_but_the_next_one_is(self):
        def prepare(part, *_):
            return Result("build", "failed") if part == "model" else None

        found, _ = self.run_parts(prepare, lambda part, *_: [Result(part, "passed")])
        self.assertEqual([r.name for results in found.values() for _, r in results],
                         ["build", "stress"])

    def test_an_interrupt_ends_the_build_in_the_background(self):
        begun, codes = threading.Event(), []

        def prepare(part, *_):
            if part == "stress":
                begun.set()
                codes.append(ctest_run.run(["sleep", "1000"], "", ctest_run.Note())[0])

        def run_tests(*_):
            begun.wait(10)
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.run_parts(prepare, run_tests)
        self.assertEqual(codes, [-signal.SIGTERM])


class ShownProgress(unittest.TestCase):
    def test_says_which_part_runs_and_how_long_is_left(self):
        progress, out = ctest_run.Progress(interval=0.0), io.StringIO()
        progress.begin_part("2/9", progress.last, 60, 240)
        with contextlib.redirect_stdout(out):
            progress.update("asan (asan): build 3/40, 5 s")
        self.assertEqual(out.getvalue(), "[2/9] asan (asan): build 3/40, 5 s, about 5 min left\n")

    def test_says_what_is_built_in_the_background(self):
        progress, out = ctest_run.Progress(interval=0.0), io.StringIO()
        progress.background.update("tsan (tsan): build 1/9, 2 s")
        with contextlib.redirect_stdout(out):
            progress.update("asan (asan): test 7/8, 9 s")
        self.assertEqual(out.getvalue(), "asan (asan): test 7/8, 9 s; tsan (tsan): build 1/9, 2 s\n")


class Report(unittest.TestCase):
    def report(self, found, words=(), seconds=1.0):
        arguments, out = test_driver.parse(words), io.StringIO()
        test_driver.add_empty_parts(found, arguments)
        with contextlib.redirect_stdout(out):
            good = test_driver.report(found, dict.fromkeys(found, seconds), arguments)
        return good, out.getvalue()

    def test_the_last_line_is_the_only_one_with_the_count(self):
        good, said = self.report({"unit": [("debug", Result("a.b", "passed"))] * 2,
                                  "lint": [("release", Result("c", "passed"))]})
        self.assertTrue(good)
        self.assertEqual(said.splitlines()[-1], "3 passed, 0 failed")
        self.assertEqual(said.count(" passed, "), 1)

    def test_a_part_that_takes_longer_than_its_budget_says_so_and_does_not_fail(self):
        passed, seconds = [("debug", Result("a", "passed"))], test_driver.PARTS["cli"].budget + 1.0
        found = {"cli": passed, "asan": passed}  # the budget of asan is larger
        good, said = self.report(found, seconds=seconds)
        self.assertTrue(good)
        self.assertEqual([line.split()[0] for line in said.splitlines() if "over budget" in line], ["cli"])
        self.assertNotIn("over budget", self.report(found)[1])

    def test_a_failure_is_shown_with_the_command_that_repeats_it(self):
        good, said = self.report({"tsan": [("tsan", Result("deque.grows/1", "failed", "Failed", "race"))]})
        self.assertFalse(good)
        self.assertIn("race\n", said)
        self.assertIn(r"./test tsan --only '^deque\.grows/1$'", said)
        self.assertTrue(said.endswith("\n0 passed, 1 failed\n"))

    def test_a_failed_build_is_a_failure(self):
        found = {"unit": [("debug", ctest_run.build_failure("build", ["[1/2] ok\n", "no ;\n"]))]}
        good, said = self.report(found)
        self.assertFalse(good)
        self.assertIn("\nno ;\n", said)
        self.assertIn("repeat with: ./test unit\n", said)

    def test_a_soak_is_repeated_with_its_minutes(self):
        _, said = self.report({"soak": [("release", Result("a", "failed"))]}, ["soak", "3"])
        self.assertIn("./test soak 3 --only '^a$'", said)

    def test_a_part_without_tests_fails(self):
        good, said = self.report({"unit": [("debug", Result("a", "passed"))], "model": []})
        self.assertFalse(good)
        self.assertIn("no tests", said)

    def test_only_may_leave_parts_empty_but_not_all(self):
        passed = [("debug", Result("a", "passed"))]
        self.assertTrue(self.report({"unit": passed, "model": []}, ["--only", "a"])[0])
        good, said = self.report({"unit": [], "model": []}, ["--only", "b"])
        self.assertFalse(good)
        self.assertIn("no test matches --only b", said)

    def test_skipped_tests_are_named_with_their_reason(self):
        _, said = self.report({"unit": [("debug", Result("a.b", "skipped", "needs two cores"))]})
        self.assertIn("skipped: unit (debug) a.b: needs two cores", said)


if __name__ == "__main__":
    unittest.main()

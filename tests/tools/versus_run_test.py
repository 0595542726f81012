"""bench/versus/run.py chooses, measures, compares and complains; the programs are stand-ins."""
import contextlib
import io
import json
import math
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/versus"))
import measure  # noqa: E402
import run  # noqa: E402

PROGRAM = """#!{python}
import json, pathlib, sys
if sys.argv[1:] == ["--list"]:
    for p in {problems!r}:
        print(json.dumps(dict(problem=p, runtime={runtime!r}, version="1", fewest_workers={fewest})))
    sys.exit(0)
log = pathlib.Path(__file__ + ".log")
log.write_text((log.read_text() if log.exists() else "") + " ".join(sys.argv[1:]) + "\\n")
calls = len(log.read_text().splitlines())
{body}
"""
SAMPLES = """for i in range(int(sys.argv[2])):
    print(json.dumps(dict(problem=sys.argv[4] if sys.argv[4:] else {problems!r}[0], seconds={seconds},
                          size={size}, operations={operations}, operation="fork", peak_kb=2048)))
"""


class Folder:
    """A build folder with stand-ins."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        (self.path / "bench/versus").mkdir(parents=True)

    def add(self, runtime, seconds="1.0", problems=("fib",), size=39, operations=10, body=None,
            fewest=1):
        path = self.path / f"bench/versus/versus_{problems[0]}_{runtime}"
        body = body or SAMPLES.format(problems=problems, seconds=seconds, size=size,
                                      operations=operations)
        path.write_text(PROGRAM.format(python=sys.executable, problems=problems, runtime=runtime,
                                       body=body, fewest=fewest))
        path.chmod(0o755)
        return path

    @staticmethod
    def calls(path):
        log = pathlib.Path(f"{path}.log")
        return log.read_text().splitlines() if log.exists() else []


def call(*words):
    """Exit code, what was printed, and what was said on the side."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        # The progress line has its stream from the start of the program.
        measure.Progress.__init__.__defaults__ = (err,)
        code = run.main([str(w) for w in words])
    return code, out.getvalue(), err.getvalue()


class WithPrograms(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Folder(pathlib.Path(holder.name) / "build")

    def run_py(self, *words):
        return call(self.folder.path, "--pause", "0", "--workers", "1", *words)


class Choice(WithPrograms):
    def test_ten_chooses_the_ten_rows_only(self):
        fib, uts = self.folder.add("filch"), self.folder.add("filch", problems=("uts",))
        self.assertEqual(self.run_py("--ten", "--tiny")[0], 0)
        self.assertEqual((len(self.folder.calls(fib)), len(self.folder.calls(uts))), (1, 0))

    def test_only_matches_problems_and_runtimes(self):
        fib = self.folder.add("filch")
        loops = self.folder.add("filch", problems=("loops_a", "loops_b"))
        tbb = self.folder.add("onetbb")
        self.assertEqual(self.run_py("--only", "fib/filch|loops_b", "--rounds", "1")[0], 0)
        self.assertEqual(Folder.calls(fib), ["1 1 full fib"])
        self.assertEqual(Folder.calls(loops), ["1 1 full loops_b"])
        self.assertEqual(Folder.calls(tbb), [])

    def test_sizes_workers_and_samples_are_passed_on(self):
        path = self.folder.add("filch")
        code, _, _ = call(self.folder.path, "--quick", "--rounds", "1", "--workers", "1,3",
                          "--samples", "2", "--pause", "0")
        self.assertEqual((code, Folder.calls(path)), (0, ["1 2 quick fib", "3 2 quick fib"]))

    def test_foreign_programs_take_part(self):
        self.folder.add("filch", "2.0")
        foreign = self.folder.add("x", "1.0").rename(self.folder.path / "elsewhere")
        code, out, _ = self.run_py("--with", f"fib/lace={foreign}", "--rounds", "1")
        self.assertEqual((code, Folder.calls(foreign)), (0, ["1 1"]))
        self.assertRegex(out, r"lace .* 1\.00 ")
        self.assertRegex(out, r"filch .* 2\.00 ")
        self.run_py("--with", f"fib/lace={foreign}", "--rounds", "1", "--quick")
        self.assertEqual(Folder.calls(foreign)[1:], ["1 1 quick"])

    def test_foreign_programs_need_not_count_operations(self):
        self.folder.add("filch", "2.0")
        for name, sample, words, failure in (
                ("same", "dict(seconds=1.0, size=39)", (), ""),
                ("silent", "dict(seconds=1.0)", (), ""),
                ("silent_and_quick", "dict(seconds=1.0)", ("--quick",), "does not say which size"),
                ("other", "dict(seconds=1.0, size=38)", (), "did size 38, which no other runtime did")):
            path = self.folder.add("x", body=f"print(json.dumps({sample}))")
            path = path.rename(self.folder.path / name)
            code, out, err = self.run_py("--with", f"fib/{name}={path}", "--rounds", "1", *words)
            self.assertEqual(code, 1 if failure else 0, err)
            self.assertIn(failure, err)
            if not failure:
                self.assertRegex(out, rf"{name} +1 s +100 ms .* 1\.00 ")

    def test_two_folders_are_told_apart(self):
        self.folder.add("filch", "2.0")
        other = Folder(self.folder.path.parent / "clang")
        other.add("filch", "1.0")
        code, out, _ = call(self.folder.path, other.path, "--pause", "0", "--rounds", "1",
                            "--workers", "1")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"filch@clang .* 1\.00 ")
        self.assertRegex(out, r"filch@build .* 2\.00 ")

    def test_list_shows_versions_and_measures_nothing(self):
        path = self.folder.add("filch")
        code, out, _ = self.run_py("--list")
        self.assertEqual((code, out, Folder.calls(path)), (0, "fib: filch 1\n", []))

    def test_mistakes_are_named_and_exit_with_2(self):
        path = self.folder.add("filch")
        build = self.folder.path
        for words, named in (
                ([build.parent / "none"], "none"), ([build, "--fast"], "'--fast'"),
                ([build, "--only", "("], "'('"), ([build, "--only", "zzz"], "'zzz'"),
                ([build, "--only"], "--only"), ([build, "--workers", "0"], "'0'"),
                ([build, "--workers", "1,x"], "'x'"), ([build, "--rounds", "0"], "'0'"),
                ([build, "--pause", "nan"], "'nan'"), ([build, "--with", "fib"], "'fib'"),
                ([build, "--with", f"nope/x={path}"], "'nope'"),
                ([build, "--with", "fib/x=/dev/null"], "/dev/null"),
                ([build, "--with", f"fib/filch={path}"], "fib/filch"),
                ([build, "--json", "/dev/null/x"], "--json")):
            code, out, err = call(*words)
            self.assertEqual(code, 2, words)
            self.assertIn(named, err)
            self.assertEqual(Folder.calls(path), [], words)
            self.assertEqual(out, "")


class Measuring(WithPrograms):
    def test_minimum_ratio_and_mean(self):
        self.folder.add("filch", "2.0 if calls == 1 else 1.0", problems=("fib", "skynet"))
        self.folder.add("onetbb", "4.0", problems=("fib", "skynet"))
        self.folder.add("serial", "0.5", problems=("fib", "skynet"))
        code, out, _ = self.run_py("--rounds", "2", "--extra", "0")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?m)^  filch +1 s +100 ms +50% +1\.00 +2\.00 +2\.0 ")
        self.assertRegex(out, r"(?m)^  serial .* 0\.50 +1\.00 ")  # no rival, so not the best
        self.assertRegex(out, r"(?m)^  onetbb +4\.00 +4\.00 +2 of 2$")
        self.assertNotRegex(out, r"serial +\S+ +\S+ +2 of 2")

    def test_without_serial_there_is_nothing_to_say_about_it(self):
        self.folder.add("filch")
        _, out, _ = self.run_py("--rounds", "1")
        self.assertRegex(out, r"spread +of best +peak MB\n")

    def test_each_folder_is_compared_with_its_own_serial(self):
        other = Folder(self.folder.path.parent / "clang")
        for folder, seconds in ((self.folder, "1.0"), (other, "2.0")):
            folder.add("serial", seconds)
            folder.add("filch", "3.0")
        _, out, _ = call(self.folder.path, other.path, "--pause", "0", "--rounds", "1", "--workers", "1")
        self.assertRegex(out, r"filch@build .* 1\.00 +3\.00 ")
        self.assertRegex(out, r"filch@clang .* 1\.00 +1\.50 ")

    def test_problems_that_need_more_workers_are_left_out_below_that(self):
        for runtime, fewest in (("filch", 2), ("rayon", 1)):  # one that says so is enough
            self.folder.add(runtime, problems=("latency",), fewest=fewest)
        code, out, err = call(self.folder.path, "--pause", "0", "--rounds", "1", "--workers", "1,2",
                              "--only", "latency/rayon")
        self.assertEqual(code, 0, err)
        self.assertIn("latency needs 2 workers: nothing to measure with 1", err)
        self.assertNotIn("1 worker\n", out)
        self.assertIn("latency, size 39, 2 workers", out)
        code, _, err = self.run_py()
        self.assertEqual(code, 2)
        self.assertIn("--workers", err)

    def test_there_is_a_pause_before_every_program(self):
        self.folder.add("a")
        self.folder.add("b")
        with mock.patch.object(measure, "time") as time:
            self.run_py("--rounds", "3", "--pause", "0.25")
        self.assertEqual(time.sleep.call_args_list, 6 * [mock.call(0.25)])

    def test_wide_rows_are_measured_again_up_to_a_limit(self):
        noisy = self.folder.add("noisy", "float(calls)")
        calm = self.folder.add("calm")
        settles = self.folder.add("settles", "2.0 if calls < 3 else 1.0")
        code, out, err = self.run_py("--rounds", "3", "--extra", "4", "--spread", "30")
        self.assertEqual(code, 0)
        self.assertEqual([len(Folder.calls(p)) for p in (noisy, calm, settles)], [7, 3, 5])
        self.assertRegex(out, r"noisy .*spread still wide after 7 rounds")
        self.assertRegex(out, r"settles .*  5 rounds")
        self.assertIn("extra round 1 of at most 4 for noisy, settles", err)

    def test_rounds_are_interleaved(self):
        order = self.folder.path / "order"
        for runtime in ("a", "b"):
            self.folder.add(runtime, body=f"open({str(order)!r}, 'a').write({runtime!r})\n"
                            + SAMPLES.format(problems=("fib",), seconds=1.0, size=1, operations=1))
        self.run_py("--rounds", "3")
        self.assertEqual(order.read_text(), "ababab")

    def test_smaller_sizes_are_compared_by_operation(self):
        self.folder.add("filch", "4.0", size=39, operations=100)
        self.folder.add("async", "1.0", size=20, operations=10)
        _, out, _ = self.run_py("--rounds", "1")
        self.assertRegex(out, r"filch .* 1\.00 ")
        self.assertRegex(out, r"async .* 2\.50 .*at size 20")

    def test_smaller_sizes_of_a_whole_problem_are_refused(self):
        self.folder.add("filch", size=14, operations=1)
        self.folder.add("other", size=12, operations=1)
        code, _, err = self.run_py("--rounds", "1")
        self.assertEqual(code, 1)
        self.assertIn("failed: fib/other on 1: did size 12", err)

    def test_json_has_everything(self):
        self.folder.add("filch", "float(calls)")
        path = self.folder.path / "out.json"
        self.assertEqual(self.run_py("--rounds", "2", "--extra", "0", "--json", path)[0], 0)
        (row,) = json.loads(path.read_text())["rows"]
        self.assertEqual((row["problem"], row["runtime"], row["workers"]), ("fib", "filch", 1))
        self.assertEqual((row["seconds"], row["minimum"], row["peak_kb"]), ([1.0, 2.0], 1.0, 2048))
        self.assertEqual((row["of_best"], row["of_serial"]), (1.0, None))

    def test_json_has_ratios_and_means(self):
        problems = ("fib", "skynet")
        for runtime, seconds in (("serial", "1.0"), ("filch", "2.0"), ("onetbb", "6.0")):
            self.folder.add(runtime, seconds, problems=problems)
        self.folder.add("async", "8.0", problems=("wake",))
        path = self.folder.path / "out.json"
        self.assertEqual(self.run_py("--rounds", "1", "--json", path)[0], 0)
        found = json.loads(path.read_text())
        row = next(r for r in found["rows"] if r["runtime"] == "onetbb")
        self.assertAlmostEqual(row["of_best"], 3.0)
        self.assertAlmostEqual(row["of_serial"], 6.0)
        means = found["geometric_means"]["1"]
        self.assertAlmostEqual(means["onetbb"]["of_filch"], 3.0)
        self.assertIsNone(means["async"]["of_filch"])

    def test_no_escape_codes_without_a_terminal(self):
        self.folder.add("filch")
        _, out, err = self.run_py("--rounds", "2")
        self.assertNotIn("\x1b", out + err)
        self.assertIn("[1/1] fib, 1 worker: round 2 of 2", err)


class Failures(WithPrograms):
    def check(self, body, said):
        self.folder.add("good")
        self.folder.add("bad", body=body)
        code, out, err = self.run_py("--rounds", "2", "--timeout", "5")
        self.assertEqual(code, 1)
        self.assertIn("failed: fib/bad on 1: " + said, err)
        self.assertIn("good", out)
        self.assertNotRegex(out, r"(?m)^  bad")

    def test_a_wrong_answer(self):
        self.check("sys.exit('wrong answer')", "exit code 1: wrong answer")

    def test_a_crash(self):
        self.check("import os; os.abort()", "killed by SIGABRT")

    def test_silence(self):
        self.check("pass", "printed no samples")

    def test_nonsense(self):
        self.check("print('hello')", "printed no samples")

    def test_no_time_at_all(self):
        self.check("print(json.dumps(dict(seconds=0)))", "printed no samples")

    def test_another_problem(self):
        self.check("print(json.dumps(dict(seconds=1, problem='x')))", "printed no samples")

    def test_hanging(self):
        self.folder.add("bad", body="import time; time.sleep(60)")
        code, _, err = self.run_py("--rounds", "1", "--timeout", "1")
        self.assertEqual(code, 1)
        self.assertIn("failed: fib/bad on 1: not done after 1 s", err)


class Small(unittest.TestCase):
    def test_durations(self):
        for seconds, text in ((2.5, "2.5 s"), (0.0123, "12.3 ms"), (4.56e-6, "4.56 us"),
                              (1.85e-9, "1.85 ns"), (1234.5, "1234 s")):
            self.assertEqual(measure.duration(seconds), text)

    def test_geometric_mean(self):
        self.assertAlmostEqual(measure.geometric_mean([1, 4]), 2)
        self.assertTrue(math.isnan(measure.geometric_mean([])))

    def test_a_terminal_gets_one_line_that_changes(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True
        stream = Terminal()
        with mock.patch.dict(os.environ, TERM="xterm"):
            progress = measure.Progress(stream)
        progress.show("a", ": b")
        self.assertEqual(stream.getvalue(), "\r\x1b[Ka: b")


if __name__ == "__main__":
    unittest.main()

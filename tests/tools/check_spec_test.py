"""check_spec.py finds what docs/spec refers to, and misses what is not there."""
import pathlib
import tempfile
import unittest

import check_spec

FILES = {
    "tests/unit/a_test.cpp":
        "TEST(deque, the_owner_sees_a_stack) {}\n// TEST(deque, commented_out) {}\n"
        "TEST_F(deque_memory,\n       grows) {}\nTYPED_TEST(rings, turn) {}\n"
        "TEST_P(under_theft, is_safe) {}\n"
        "INSTANTIATE_TEST_SUITE_P(thieves, under_theft, testing::Values(1));\n",
    "tests/stress/deque_stress.cpp": "TEST(storm, passes) {}\n",
    "tests/compile_fail/copy.cpp": "",
    "tests/packaging/packaging.py": "@case\ndef install(t):\n",
    "tests/model/sleep_model.cpp":
        'play(\n  "latch", 3, f);\n{"batch", 2, 3, f};\nboth_fences<world>(\n  "one_job", 3, f);\n',
    "tests/model/mutants.txt":
        "# deque | patch | a comment | x => y | killed by latch\n"
        "deque | patch | the mask is wrong (pitfall 1) | ring.hpp: a => b | killed by latch\n"
        "deque | order | ring.hpp: rings.gate_.load(acquire) | acquire -> relaxed | killed by latch\n",
}


def problems(page):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**FILES, "docs/spec/pool.md": page}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check_spec.check(root)


def shown_by(cell):
    return problems(f"# Pool\n\n| # | promise | shown by |\n|---|---|---|\n| 1 | x.y | {cell} |\n")


class Accepts(unittest.TestCase):
    def test_what_is_there(self):
        for cell in ("deque.the_owner_sees_a_stack", "`deque.the_owner_sees_a_stack`", "deque.*",
                     "deque_memory.grows, rings.turn; rings/0.turn", "deque.the_owner_*",
                     "deque.the_owner..., ..._sees_...", "under_theft.is_safe",
                     "thieves/under_theft.is_safe/4", "deque_stress, storm.passes",
                     "compile_fail.copy", "packaging.install", "model.sleep.latch",
                     "model `latch`, `batch` and `one_job_full_fences`; ASan", "model `bat*`",
                     "all scenarios with `one_job`", 'mutant "the mask is wrong"',
                     'mutants "the mask..." and "... wrong"', "mutants of `gate_.load(acquire)`",
                     "mutant of `gate_.load(acquire)`, acquire -> relaxed",
                     "the argument below; `x.y()`; include/filch/deque.hpp. As 16"):
            self.assertEqual(shown_by(cell), [], cell)

    def test_prose_that_only_looks_like_a_reference(self):
        self.assertEqual(problems(
            'Tests are named *suite.name*; `model` and `mutant` refer to `mutants.txt`.\n'
            "`pool.submit` and \"quotes\", e.g. from pool.md.\n```\npool.no_such_thing_here\n```\n"), [])


class Refuses(unittest.TestCase):
    def test_what_is_not_there(self):
        for cell, said in (
                ("checks_layout.*", "no test checks_layout.*"),
                ("`deque.nothing`", "no test deque.nothing"),
                ("deque.the_owner_sees_a_stack, deque.the_owner", "no test deque.the_owner"),
                ("deque.commented_out", "no test deque.commented_out"),
                ("deque.holds_*", "no test deque.holds_*"),
                ("..._sees_nothing_...", "no test ..._sees_nothing_..."),
                ("owners/under_theft.is_safe", "no test owners/under_theft.is_safe"),
                ("pool_stress", "no stress test pool_stress"),
                ("model.sleep.nothing", "no test model.sleep.nothing"),
                ("model `latch`, `nothing`", "no scenario nothing"),
                ("model `nothing*`", "no scenario nothing*"),
                ("model `latch_full_fences`", "no scenario latch_full_fences"),
                ('mutants "the mask is wrong", "the mask"', 'no mutant "the mask"'),
                ('mutant "a comment"', 'no mutant "a comment"'),
                ("mutant of `gate_.load(seq_cst)`", "no mutant of gate_.load(seq_cst)"),
                ("mutant of `gate_.load(acquire)`, acquire -> consume",
                 "no mutant of gate_.load(acquire), acquire -> consume")):
            (problem,) = shown_by(cell)
            self.assertEqual(problem, f"docs/spec/pool.md:5: {said}")

    def test_references_in_prose(self):
        for text, said in (("See deque.nothing.", "no test deque.nothing"),
                           ("See pool.runs_a_task_twice.", "no test pool.runs_a_task_twice"),
                           ("It is in model `nothing`.", "no scenario nothing"),
                           ('The mutant "nothing" is "x".', 'no mutant "nothing"')):
            self.assertEqual(problems(f"\n{text}\n"), [f"docs/spec/pool.md:2: {said}"])

    def test_an_empty_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(check_spec.check(pathlib.Path(folder)), ["docs/spec: no pages"])


if __name__ == "__main__":
    unittest.main()

"""bench/compare, bench/instructions.py and bench/chains.py understand their arguments and can
complain."""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import chains  # noqa: E402
import instructions  # noqa: E402


def call(script, *words):
    """Exit code and everything printed."""
    done = subprocess.run([sys.executable, "-B", ROOT / "bench" / script, *words],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Compare(unittest.TestCase):
    def test_help(self):
        code, said = call("compare", "--help")
        self.assertEqual(code, 0)
        self.assertIn("usage: bench/compare A B", said)

    def test_mistakes_are_named_and_exit_with_2(self):
        for words, named in (([], "two revisions"), (["."], "two revisions"),
                             (["no-such-revision", "."], "'no-such-revision'"),
                             ([".", ".", "frob"], "'frob'"), ([".", ".", "--fast"], "'--fast'"),
                             ([".", ".", "--rounds", "x"], "'x'"), ([".", ".", "--keep"], "--keep"),
                             ([".", ".", "--compiler", "no-such++"], "'no-such++'")):
            code, said = call("compare", *words)
            self.assertEqual(code, 2, said)
            self.assertIn(named, said)


class Instructions(unittest.TestCase):
    def test_within_the_tolerance_nothing_is_said(self):
        self.assertIsNone(instructions.judge("g++ 12", "fib", 100, 102))

    def test_more_and_fewer_are_reported_with_what_to_do(self):
        for found, word in ((110, "more"), (90, "fewer")):
            said = instructions.judge("g++ 12", "fib", found, 100)
            self.assertIn(f"{found}.0 instructions, {word} than the 100.0 recorded", said)
            self.assertIn("RECORDED in bench/instructions.py", said)

    def test_tasks_and_forks_are_told_apart(self):
        self.assertIn("a task takes 9.0", instructions.judge("g++ 12", "scope_spawn_1000", 9, 5))
        self.assertIn("a fork takes 9.0", instructions.judge("g++ 12", "shapes_four", 9, 5))

    def test_every_problem_is_recorded_for_every_compiler(self):
        for compiler, recorded in instructions.RECORDED.items():
            self.assertEqual(list(recorded), list(instructions.PROBLEMS), compiler)

    def test_wrong_arguments_exit_with_2(self):
        self.assertEqual(call("instructions.py")[0], 2)
        code, said = call("instructions.py", "/nonexistent", "g++")
        self.assertEqual(code, 2)
        for page in ("fib", "shapes", "scope_spawn"):
            self.assertIn(f"versus_{page}_filch", said)


class Chains(unittest.TestCase):
    # What callgrind writes: a name once, then its number; a line of costs behind `calls=` is what
    # the callee took.
    DUMP = """fn=(1) void chains::counted_chain<chains::(anonymous namespace)::zip>(chains::numbers const&)
10 5
cfn=(2) helper()
calls=3 20
11 100
fn=(2)
20 70
+1 30
fn=(3) void chains::counted_loop<chains::(anonymous namespace)::zip>(chains::numbers const&)
30 50
fn=(1)
* 15
"""

    def test_costs_include_what_is_called(self):
        costs = {name.split("(")[0]: cost for name, cost in chains.inclusive(self.DUMP).items()}
        self.assertEqual(list(costs.values()), [120, 100, 50])

    def test_a_row_is_chain_by_loop(self):
        self.assertEqual(chains.ratios(chains.inclusive(self.DUMP)), {"zip": 2.4})

    def test_too_many_are_reported(self):
        self.assertIsNone(chains.judge("zip", 1.09, {}))
        self.assertIn("zip: the chain takes 1.20", chains.judge("zip", 1.2, {}))

    def test_a_known_row_is_reported_if_it_moves(self):
        self.assertIsNone(chains.judge("zip", 1.52, {"zip": 1.5}))
        self.assertIn("more than 1.50", chains.judge("zip", 1.7, {"zip": 1.5}))
        self.assertIn("KNOWN in bench/chains.py", chains.judge("zip", 1.2, {"zip": 1.5}))

    def test_wrong_arguments_exit_with_2(self):
        self.assertEqual(call("chains.py")[0], 2)
        self.assertEqual(call("chains.py", "/nonexistent")[0], 2)


if __name__ == "__main__":
    unittest.main()

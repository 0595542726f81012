"""bench/compare and bench/instructions.py understand their arguments and can complain."""
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
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


if __name__ == "__main__":
    unittest.main()

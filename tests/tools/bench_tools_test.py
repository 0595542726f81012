"""The scripts in bench understand their arguments, compute what they should and can complain."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import chains  # noqa: E402
import flags  # noqa: E402
import instructions  # noqa: E402
import plot  # noqa: E402
from measure import Program, Row  # noqa: E402
from ten_rows import TEN_ROWS  # noqa: E402


def call(script, *words):
    """Exit code and everything printed."""
    done = subprocess.run([sys.executable, "-B", ROOT / "bench" / script, *words],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def compare():
    """The module in bench/compare, whose name has no ending."""
    loader = importlib.machinery.SourceFileLoader("compare", str(ROOT / "bench/compare"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
    loader.exec_module(module)
    return module


class Compare(unittest.TestCase):
    def test_a_page_stands_for_all_of_its_problems_whatever_they_are_called(self):
        module = compare()
        pages = {"ranges": {"map_filter_sum": 1, "dot": 1}, "fib": {"fib": 1, "fib_swapped": 1},
                 "shapes": {"shapes_void": 1, "shapes_three": 1}}
        with mock.patch.object(module, "listed", pages.get):
            def found(*names):
                return sorted(module.programs("A", {page: page for page in pages}, names))
            self.assertEqual(found("ranges"), ["dot", "map_filter_sum"])
            self.assertEqual(found("fib", "shapes_void"), ["fib", "shapes_void"])
            self.assertEqual(found("shapes"), ["shapes_three", "shapes_void"])

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


class Flags(unittest.TestCase):
    O2 = flags.Cell("g++", "g++ 12", "-O2")
    O3 = flags.Cell("clang++", "clang++ 14", "-O3 -march=native")

    @staticmethod
    def rows(cells, times):
        """{(cell, side): Row} with the same times, {side: seconds}, in every cell."""
        return {(cell, side): Row(Program("scan", f"{side}, {cell}", "x"), 2, seconds=list(seconds))
                for cell in cells for side, seconds in times.items()}

    def test_a_compiler_that_is_not_installed_is_named_and_left_out(self):
        self.assertEqual(flags.find_cells(["no-such++"], ["-O2"]), ([], ["no-such++"]))

    def test_each_side_is_compiled_with_the_flags_of_its_cell(self):
        for side, own in (("filch", "lib.a"), ("openmp", "-fopenmp"), ("std_par", "-ltbb")):
            words = flags.compile_command(self.O3, side, "lib.a", "out")
            self.assertEqual(words[0], "clang++")
            for word in ("-O3", "-march=native", own):
                self.assertIn(word, words)

    def test_clang_finds_a_libomp_of_another_version(self):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "llvm-19/lib"
            library.mkdir(parents=True)
            self.assertEqual(flags.libomp_folders(pathlib.Path(folder)), [])
            (library / "libomp.so").touch()
            self.assertEqual(flags.libomp_folders(pathlib.Path(folder)), [library])

    def test_filch_is_compared_with_every_peer_of_its_own_cell(self):
        found = flags.comparisons("scan", self.rows([self.O2, self.O3], {
            "filch": (1.2, 1.5), "openmp": (1.0, 1.0), "std_par": (2.4, 3.0)}))
        self.assertEqual([(c.name, str(c.cell)) for c in found],
                         [("scan / openmp", "g++ 12 -O2"), ("scan / std_par", "g++ 12 -O2"),
                          ("scan / openmp", "clang++ 14 -O3 -march=native"),
                          ("scan / std_par", "clang++ 14 -O3 -march=native")])
        self.assertAlmostEqual(found[0].ratio, 1.2)
        self.assertAlmostEqual(found[0].median_ratio, 1.35)

    def test_a_side_that_failed_is_not_compared(self):
        rows = self.rows([self.O2], {"filch": (1.0,), "openmp": (1.0,)})
        rows[self.O2, "openmp"].failure = "exit code 1"
        self.assertEqual(flags.comparisons("scan", rows), [])

    def test_ratios_above_the_limit_are_bold(self):
        found = flags.comparisons("scan", self.rows([self.O2], {
            "filch": (1.2, 1.5), "openmp": (1.0, 1.0), "std_par": (2.4, 3.0)}))
        self.assertEqual(flags.ratio_table(found).splitlines(),
                         ["| filch / other | g++ 12 -O2 |", "| --- | --- |",
                          "| scan / openmp | **1.20** |", "| scan / std_par | 0.50 |"])
        self.assertIn("| scan / openmp | g++ 12 -O2 | 1.2 s | 1.35 s | 13% | 1 s | 1 s | 0% | **1.20** "
                      "| **1.35** |", flags.whole_table(found))

    def test_mistakes_are_named_and_exit_with_2(self):
        for words, named in ((["--frob"], "'--frob'"), (["x"], "'x'"), (["--rounds", "0"], "'0'"),
                             (["--compilers", "no-such++"], "none of them"), (["--only", "("], "'('")):
            code, said = call("flags.py", *words)
            self.assertEqual(code, 2, said)
            self.assertIn(named, said)


class Plot(unittest.TestCase):
    @staticmethod
    def data(leave_out=()):
        """What run.py writes: filch takes 2 s for 2 operations from main, peers take 3 s for 2."""
        return {"rows": [{"problem": problem, "runtime": runtime, "workers": workers, "failure": "",
                          "minimum": seconds * workers, "operations": 2, "operation": "run"}
                         for problem in TEN_ROWS if problem not in leave_out for workers in (1, 2)
                         for runtime, seconds in (("filch", 4.0), ("filch_main", 2.0), ("onetbb", 3.0),
                                                  ("mutex_queue", 9.0))]}

    def test_peers_are_compared_with_filch_called_from_main_on_most_workers(self):
        found, workers = plot.figures(self.data())
        self.assertEqual((len(found), workers), (10, 2))
        self.assertEqual(found[0], plot.Figure(TEN_ROWS["fib"], "run", 2.0, {"onetbb": 1.5}))

    def test_a_row_without_filch_is_named(self):
        with self.assertRaisesRegex(plot.Missing, "phases.*run.py --ten"):
            plot.figures(self.data(leave_out=["phases"]))

    def test_the_table_has_a_column_for_each_peer(self):
        found = [plot.Figure("fork", "fork", 2e-9, {"onetbb": 7.0}),
                 plot.Figure("sum", "run", 0.5, {"rayon": 1.25})]
        self.assertEqual(plot.markdown(found).splitlines(),
                         ["|  | filch | oneTBB | Rayon |", "| --- | --- | --- | --- |",
                          "| fork | 2 ns per fork | 7.00 |  |", "| sum | 500 ms |  | 1.25 |"])

    def test_mistakes_are_named(self):
        self.assertEqual(call("plot.py")[0], 2)
        code, said = call("plot.py", "/nonexistent/figures.json")
        self.assertEqual(code, 1)
        self.assertIn("/nonexistent/figures.json", said)

    def test_the_picture_has_every_row(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not installed")
        with tempfile.TemporaryDirectory() as folder:
            figures, picture = (pathlib.Path(folder) / name for name in ("figures.json", "rows.svg"))
            figures.write_text(json.dumps(self.data()))
            code, said = call("plot.py", figures, picture)
            self.assertEqual(code, 0, said)
            for label in (*TEN_ROWS.values(), "oneTBB"):
                self.assertIn(f">{label}<", picture.read_text())


if __name__ == "__main__":
    unittest.main()

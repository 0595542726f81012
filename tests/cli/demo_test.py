"""filch demo: its table, its report, and what Ctrl-C leaves."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

import command
from command import FILCH, QUICK, Terminal, wait_until_caught

LOADS = ("imbalance", "sort", "mandelbrot", "tree")
VARIANTS = {"serial", "static", "mutex queue", "filch"}  # the others need not be there


class Demo(command.Command):
    def test_all_loads_under_all_variants_are_right(self):
        said = json.loads(self.call("demo", *QUICK, "-j", "2", "--json"))
        self.assertEqual(said["workers"], 2)
        self.assertFalse(said["interrupted"])
        self.assertTrue(0 <= said["other_load"] <= 1)
        for load in LOADS:
            rows = {r["variant"]: r for r in said["rows"] if r["load"] == load}
            self.assertLessEqual(VARIANTS, set(rows))
            for row in rows.values():
                self.assertTrue(row["right"], row)
                self.assertGreater(row["time_ms"], 0)
            serial, filch = rows["serial"], rows["filch"]
            self.assertAlmostEqual(filch["speedup"], serial["time_ms"] / filch["time_ms"], 6)
            self.assertAlmostEqual(filch["ideal_ms"], serial["time_ms"] / 2, 6)
            self.assertAlmostEqual(filch["utilisation"], filch["ideal_ms"] / filch["time_ms"], 6)
            self.assertIsInstance(filch["steals"], int)
            self.assertIsNone(serial["steals"])

    def test_the_report_and_the_trace_have_the_comparison(self):
        said = json.loads(self.call("demo", "tree", *QUICK, "--json", "-o", "x.html"))
        self.assertEqual((said["report"], said["trace"]), ("x.html", "x.json"))
        trace = json.loads((self.folder / "x.json").read_text())
        self.assertEqual(trace["otherData"]["filch"]["comparison"]["rows"], said["rows"])
        self.assertIn("tree", [e["name"] for e in trace["traceEvents"]])
        self.assertIn("<html", (self.folder / "x.html").read_text())
        self.call("report", "x.json", "-o", "again.html")

    def test_without_a_report_there_are_still_the_figures(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        said = json.loads(self.call("demo", "tree", *QUICK, "--json", expect=1, preexec_fn=limit))
        self.assertIn("there is no report", self.said)
        self.assertLessEqual(VARIANTS, {r["variant"] for r in said["rows"]})
        self.assertIsNone(said["report"])
        self.assertIsNone(said["trace"])

    def test_people_get_a_table_and_no_progress_without_a_terminal(self):
        said = self.call("demo", "imbalance", *QUICK, "-j", "2")
        self.assertEqual(self.said, "")
        self.assertNotIn("\x1b", said)
        self.assertIn("2 workers", said)
        self.assertIn("divided evenly among 2 workers it takes 550, ideal 375", said)
        self.assertRegex(said, r"(?m)^filch .* [\d.]+ ms .* right$")
        self.assertIn(f"Report: {self.folder.resolve()}/filch-demo.html\n", said)
        self.assertTrue((self.folder / "filch-demo.html").exists())

    def test_more_workers_than_cpus_are_said_to_be_that(self):
        self.assertIn("more workers than CPUs", self.call("demo", "tree", *QUICK, "-j", "64"))

    def test_a_terminal_gets_colours_and_progress(self):
        terminal = Terminal([FILCH, "demo", "tree", *QUICK], self.folder)
        self.assertEqual(terminal.end(), 0)
        self.assertIn("[#", terminal.output)
        self.assertIn("tree, round 1: filch", terminal.output)
        self.assertIn("\x1b[1mfilch\x1b[0m", terminal.output)

    def test_no_colours_if_they_are_not_wanted(self):
        terminal = Terminal([FILCH, "demo", "tree", *QUICK], self.folder, env={"NO_COLOR": "1"})
        self.assertEqual(terminal.end(), 0)
        self.assertNotIn("\x1b[1m", terminal.output)

    def test_ctrl_c_keeps_what_was_measured(self):
        terminal = Terminal([FILCH, "demo", "--rounds", "1000", "--scale", "0.05"], self.folder)
        terminal.wait_for("round 3:")
        terminal.type("\x03")
        terminal.wait_for("Report: ")
        self.assertEqual(terminal.settings(), terminal.before)
        self.assertEqual(terminal.end(), 130)
        self.assertIn("Interrupted", terminal.output)
        self.assertRegex(terminal.output, r"serial .* right")
        trace = json.loads((self.folder / "filch-demo.json").read_text())
        rows = trace["otherData"]["filch"]["comparison"]["rows"]
        self.assertEqual({r["load"] for r in rows}, {"imbalance", "sort", "mandelbrot", "tree"})
        self.assertTrue((self.folder / "filch-demo.html").exists())

    def test_ctrl_c_before_anything_was_measured_says_so(self):
        terminal = Terminal([FILCH, "demo", "tree"], self.folder)
        terminal.wait_for("waiting until other programs leave the CPUs alone")
        terminal.type("\x03")
        self.assertEqual(terminal.end(), 130)
        self.assertIn("Interrupted before anything was measured.", terminal.output)

    def test_a_signal_without_a_terminal_does_the_same(self):
        program = subprocess.Popen([FILCH, "demo", "--rounds", "1000", "--scale", "0.05", "--json"],
                                   cwd=self.folder, stdout=subprocess.PIPE, text=True)
        wait_until_caught(program.pid, signal.SIGTERM)
        time.sleep(0.5)  # for some of it
        program.send_signal(signal.SIGTERM)
        said, _ = program.communicate(timeout=30)
        self.assertEqual(program.returncode, 130)
        self.assertTrue(json.loads(said)["interrupted"])

    def test_a_demo_that_is_traced_leaves_the_report_to_the_program_that_traces_it(self):
        said = self.call("trace", "-o", "outer", "--", FILCH, "demo", "tree", *QUICK)
        self.assertIn("FILCH_TRACE traces it already", self.said)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["outer.html", "outer.json"])
        self.assertIn("outer.html", said)

    def test_a_folder_that_cannot_be_written_is_found_at_once(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        self.folder.chmod(0o555)
        self.call("demo", *QUICK, expect=2)
        self.assertIn("filch-demo.html", self.said)


if __name__ == "__main__":
    unittest.main()

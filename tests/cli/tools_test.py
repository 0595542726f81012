"""filch stress, filch bench and filch doctor."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

import command
from command import FILCH, Terminal, wait_until_caught


class Stress(command.Command):
    def test_checks_answers_and_prints_its_seed(self):
        said = self.call("stress", "--seconds", "1")
        self.assertRegex(said, r"^seed \d+ \(--seed \d+ draws the same problems again\)\n")
        self.assertRegex(said, r"(?m)^\d+ answers checked in [\d.]+ s, 0 wrong$")

    def test_json(self):
        said = json.loads(self.call("stress", "--seconds", "1", "--seed", "7", "-j", "2", "--json"))
        self.assertEqual((said["seed"], said["wrong"]), (7, 0))
        self.assertGreater(said["checks"], 0)
        self.assertEqual(said["checks"], sum(p["runs"] for p in said["parts"].values()))

    def test_something_is_always_checked(self):
        said = json.loads(self.call("stress", "--seconds", "0.000001", "-j", "8", "--json"))
        self.assertEqual(said["checks"], 1)

    def test_ctrl_c_keeps_the_tally(self):
        terminal = Terminal([FILCH, "stress", "--seconds", "60"], self.folder)
        terminal.wait_for("checked")
        terminal.type("\x03")
        self.assertEqual(terminal.settings(), terminal.before)
        self.assertEqual(terminal.end(), 130)
        self.assertRegex(terminal.output, r"answers checked in [\d.]+ s, 0 wrong \(interrupted\)")


class Bench(command.Command):
    def test_a_table_of_everything(self):
        said = self.call("bench", "--seconds", "0.01")
        for name in ("fork", "spawn", "submit", "wake", "loop", "sort"):
            self.assertRegex(said, rf"(?m)^{name} +[\d.]+ [mun]?s +[\d.]+ [mun]?s +[\d.]+ % +\d+ ")

    def test_json_of_one(self):
        said = json.loads(self.call("bench", "sort", "--seconds", "0.01", "-j", "2", "--json"))
        self.assertEqual(said["workers"], 2)
        (one,) = said["benchmarks"]
        self.assertEqual(one["name"], "sort")
        self.assertGreaterEqual(one["samples"], 5)
        self.assertTrue(0 < one["minimum_ns"] <= one["median_ns"] <= one["maximum_ns"])

    def test_an_interruption_keeps_what_was_measured(self):
        program = subprocess.Popen([FILCH, "bench", "--seconds", "60", "--json"],
                                   stdout=subprocess.PIPE, text=True)
        wait_until_caught(program.pid, signal.SIGINT)
        time.sleep(0.2)  # for some of it
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=30)
        self.assertEqual(program.returncode, 130)
        self.assertTrue(json.loads(said)["interrupted"])


class Doctor(command.Command):
    def test_says_what_it_finds(self):
        said = self.call("doctor")
        for what in ("CPUs", "affinity", "CPU quota", "NUMA", "futex", "membarrier", "clock source",
                     "huge pages", "default pool"):
            self.assertRegex(said, rf"(?m)^{re.escape(what)} +\S")

    def test_json(self):
        said = json.loads(self.call("doctor", "--json"))
        self.assertRegex(said["findings"]["pool.threads"], r"^\d+ workers? \(")
        self.assertIsInstance(said["warnings"], list)

    def test_an_affinity_mask_is_a_warning(self):
        allowed = os.sched_getaffinity(0)
        if len(allowed) < 2:
            self.skipTest("there is one CPU only")
        said = self.call("doctor", preexec_fn=lambda: os.sched_setaffinity(0, {min(allowed)}))
        self.assertIn("warning: this process may use only 1 of ", said)
        self.assertIn("affinity mask", said)

    def test_the_environment_is_explained(self):
        said = self.call("doctor", env={"FILCH_NUM_THREADS": "3"})
        self.assertIn("3 workers (from FILCH_NUM_THREADS)", said)
        self.assertIn('warning: FILCH_NUM_THREADS is "x"',
                      self.call("doctor", env={"FILCH_NUM_THREADS": "x"}))
        self.assertIn("warning: FILCH_NO_MEMBARRIER",
                      self.call("doctor", env={"FILCH_NO_MEMBARRIER": "1"}))


if __name__ == "__main__":
    unittest.main()

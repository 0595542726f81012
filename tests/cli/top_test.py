"""filch top: plain lines, JSON, Prometheus, and the view in a terminal."""
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import command
from command import CLIENT, FILCH, HANGING_CLIENT, LONG_CLIENT, Terminal, page_of, wait_until

# A program that uses filch for a while: the command itself.
BUSY = [FILCH, "stress", "--seconds", "{}", "--seed", "1", "-j", "2"]


def busy(seconds):
    return [w.format(seconds) for w in BUSY]


class Top(command.Command):
    def test_lines_without_a_terminal_and_a_summary(self):
        said = self.call("top", "--interval", "0.2", "--", *busy(3))
        self.assertNotIn("\x1b", said)
        self.assertRegex(said, r'(?m)^pool \d+ "stress": \d of 2 workers running, [\d.]+ % busy, ')
        self.assertIn("0 wrong", said)
        self.assertIn("filch top: ", said)
        self.assertIn("since its start: ", said)

    def test_json_lines_that_add_up(self):
        said = self.call("top", "--json", "--interval", "0.2", "--", "sh", "-c",
                         "exec " + " ".join(busy(3)) + " > /dev/null")
        looks = [json.loads(line) for line in said.splitlines()]
        self.assertEqual([look["of"] for look in looks][-1], "all")
        self.assertGreater(len(looks), 2)
        for look in looks:
            for pool in look["pools"]:
                self.assertLessEqual(sum(w["jobs"] for w in pool["workers"]), pool["total"]["jobs"])
                self.assertTrue(0 <= pool["utilisation"] <= 1)

    def test_prometheus(self):
        said = self.call("top", "--prometheus", "--", "sh", "-c",
                         "exec " + " ".join(busy(1)) + " > /dev/null")
        self.assertRegex(said, r'(?m)^filch_workers\{program="[^"]+",pid="\d+",pool="\d+",'
                               r'pool_name="stress"\} 2$')
        for line in said.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) filch_\w+ .+|filch_\w+\{[^}]*\} [\d.e+-]+)$')
        self.assertNotEqual(sum(map(int, re.findall(r"(?m)^filch_jobs_total.* (\d+)$", said))), 0)

    def test_what_a_pool_did_after_the_last_look_is_in_the_summary(self):
        said = self.call("top", "--json", "--interval", "100", "--", "sh", "-c",
                         "exec " + " ".join(busy(0.3)) + " > /dev/null")
        pools = json.loads(said)["pools"]  # one line: there was no look in between
        rounds = [p for p in pools if p["name"] == "stress"]  # a pool each
        self.assertTrue(rounds and all(p["ended"] for p in rounds), pools)
        self.assertNotEqual(sum(p["total"]["jobs"] for p in rounds), 0)

    def test_a_running_process(self):
        program = subprocess.Popen(busy(120), stdout=subprocess.DEVNULL,
                                   env={**os.environ, "FILCH_LIVE": "1"})
        self.addCleanup(program.wait)
        self.addCleanup(program.terminate)

        def look_once():
            done = subprocess.run([FILCH, "top", "--once", "--json", "--pid", str(program.pid)],
                                  capture_output=True, text=True, check=False)
            look = json.loads(done.stdout) if done.returncode == 0 else {"pools": []}
            return look["pools"] and look

        look = wait_until(look_once)
        self.assertEqual(look["pid"], program.pid)
        self.assertEqual(look["pools"][0]["name"], "stress")
        said = self.call("top", "--pid", str(program.pid), "--seconds", "0.5", "--interval", "0.1")
        self.assertIn('"stress"', said)

    def test_a_program_that_hangs_does_not_look_busy(self):
        program = subprocess.Popen([HANGING_CLIENT, "wait"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, env={**os.environ, "FILCH_LIVE": "1"})
        self.addCleanup(program.wait)
        self.addCleanup(program.stdin.close)
        look = ["top", "--once", "--pid", str(program.pid)]

        def waiting():
            done = subprocess.run([FILCH, *look, "--json"], capture_output=True, text=True, check=False)
            pools = json.loads(done.stdout)["pools"] if done.returncode == 0 else []
            return pools and all(w["state"] == "waiting" and w["still_ns"] > 0
                                 for w in pools[0]["workers"]) and pools[0]

        self.assertTrue(wait_until(waiting)["unfinished"])
        self.assertIn("work unfinished, but no worker runs", self.call(*look))

    def publishing(self):
        """A program that publishes, in an environment whose folders are empty."""
        program = subprocess.Popen([LONG_CLIENT, "100000", "500"], stdout=subprocess.DEVNULL,
                                   env={**os.environ, "FILCH_LIVE": "1", "TMPDIR": str(self.folder),
                                        "XDG_RUNTIME_DIR": str(self.folder)})
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        wait_until(lambda: page_of(program.pid))
        return program

    @unittest.skipIf(os.geteuid(), "only root can become another user")
    def test_another_user_cannot_look(self):
        program = self.publishing()
        self.folder.chmod(0o755)
        shutil.copy(FILCH, self.folder / "filch")  # to where that user may go
        done = subprocess.run([self.folder / "filch", "top", "--once", "--pid", str(program.pid)],
                              cwd="/", capture_output=True, text=True, check=False, user=65534,
                              group=65534, extra_groups=[])
        self.assertEqual(done.returncode, 1, done)
        self.assertIn(f"cannot read the counters of process {program.pid}", done.stderr)

    def test_a_page_that_is_cut_short_ends_neither_program(self):
        program = self.publishing()
        top = subprocess.Popen([FILCH, "top", "--json", "--interval", "0.01", "--pid",
                                str(program.pid)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(top.wait)
        self.addCleanup(top.kill)
        self.addCleanup(top.stdout.close)
        self.assertTrue(top.stdout.readline())
        for size in (0, 8, 1 << 20):
            with self.assertRaises(PermissionError):
                os.truncate(page_of(program.pid), size)
        self.assertTrue(all(top.stdout.readline() for _ in range(50)))
        self.assertIsNone(program.poll())
        self.assertIsNone(top.poll())

    def test_a_program_that_is_asked_to_end_leaves_no_file(self):
        env = {"XDG_RUNTIME_DIR": str(self.folder)}
        # A program that a signal ends without further ado.
        said = self.call("top", "--json", "--interval", "0.1", "--seconds", "1", "--", "sh", "-c",
                         f"exec {LONG_CLIENT} 100000 500 > /dev/null", env=env)
        self.assertEqual(json.loads(said.splitlines()[-1])["of"], "all")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_program_that_is_killed_leaves_no_file(self):
        program = self.publishing()
        self.call("top", "--once", "--pid", str(program.pid))
        program.kill()
        program.wait()
        self.call("top", "--once", "--pid", str(program.pid), expect=2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_pool_that_is_too_large_is_spoken_of(self):
        said = self.call("top", "--json", "--", "sh", "-c",
                         f"exec {FILCH} stress --seconds 1 -j 300 > /dev/null")
        looks = [json.loads(line) for line in said.splitlines()]
        self.assertGreaterEqual(looks[-1]["pools_left_out"], 1, looks)

    def test_a_program_that_does_not_want_to_end_is_killed_in_the_end(self):
        self.call("top", "--seconds", "0.5", "--", "sh", "-c",
                  f"trap '' TERM; exec {LONG_CLIENT} 1000000 500 > /dev/null")
        self.assertIn("'sh' did not end within 5 s of SIGTERM, and was killed", self.said)

    def test_a_program_whose_child_publishes(self):
        self.call("top", "--", "sh", "-c", f"{CLIENT} > /dev/null; true", expect=1)
        self.assertIn("filch top observes the process of 'sh'", self.said)

    def test_a_process_that_publishes_nothing(self):
        self.call("top", "--pid", str(os.getpid()), expect=1)
        self.assertIn(f"process {os.getpid()} publishes no counters", self.said)
        self.assertIn("FILCH_LIVE=1", self.said)

    def test_a_process_that_is_not_there(self):
        self.call("top", "--pid", "4194304", expect=2)
        self.assertIn("no process 4194304", self.said)

    def test_a_program_that_does_not_use_filch(self):
        self.call("top", "--", "true", expect=1)
        self.assertIn("'true' has ended with exit code 0 and published no counters", self.said)

    def test_the_exit_code_of_the_program(self):
        self.call("top", "--", "sh", "-c", "exit 7", expect=7)


class View(command.Command):
    def start(self, seconds, **more):
        terminal = Terminal([FILCH, "top", "--interval", "0.2", "--", *busy(seconds)], self.folder,
                            **more)
        terminal.wait_for('"stress"')
        return terminal

    def check_restored(self, terminal):
        """The other screen was left, the cursor is back, and keys are as they were."""
        self.assertGreater(terminal.output.rfind("\x1b[?1049l"), terminal.output.rfind("\x1b[?1049h"))
        self.assertGreater(terminal.output.rfind("\x1b[?25h"), terminal.output.rfind("\x1b[?25l"))

    def test_a_bar_for_each_worker_and_what_the_program_printed(self):
        terminal = self.start(3)
        terminal.wait_for("q quits")
        terminal.wait_for("     1 [")
        self.assertRegex(terminal.output, r"     1 \[[#.]{24}\]")
        terminal.wait_for("\x1b[?1049l")
        self.assertEqual(terminal.settings(), terminal.before)
        self.assertEqual(terminal.end(), 0)
        after = terminal.output[terminal.output.rindex("\x1b[?1049l"):]
        self.assertIn("0 wrong", after)
        self.assertIn("since its start: ", after)
        self.check_restored(terminal)

    def test_q_quits(self):
        terminal = self.start(60)
        terminal.type("q")
        terminal.wait_for("\x1b[?1049l")
        self.assertEqual(terminal.settings(), terminal.before)
        self.assertEqual(terminal.end(), 0)
        self.assertIn("since its start: ", terminal.output[terminal.output.rindex("\x1b[?1049l"):])
        self.check_restored(terminal)

    def test_ctrl_c_quits_and_keeps_what_was_measured(self):
        terminal = self.start(60)
        terminal.type("\x03")
        terminal.wait_for("\x1b[?1049l")
        self.assertEqual(terminal.settings(), terminal.before)
        self.assertEqual(terminal.end(), 130)
        self.assertIn("since its start: ", terminal.output[terminal.output.rindex("\x1b[?1049l"):])
        self.check_restored(terminal)

    def test_ctrl_z_gives_the_terminal_back_until_it_goes_on(self):
        # With job control, as in a shell that people type at.
        terminal = Terminal(["/bin/sh", "-c", 'set -m; "$@"; echo "STOP""PED"; fg; exit 9', "sh",
                             FILCH, "top", "--interval", "0.2", "--", *busy(60)], self.folder)
        terminal.wait_for("q quits")
        settings = terminal.settings()
        self.assertNotEqual(settings, terminal.before)
        terminal.type("\x1a")
        terminal.wait_for("STOPPED")
        before, after = terminal.output[:terminal.output.index("STOPPED")], "q quits"
        self.assertGreater(before.rfind("\x1b[?25h\x1b[?1049l"), before.rfind("\x1b[?1049h"))
        terminal.output = terminal.output[len(before):]
        terminal.wait_for("\x1b[?1049h")
        terminal.wait_for(after)
        self.assertEqual(terminal.settings(), settings)
        terminal.type("q")
        terminal.wait_for("\x1b[?1049l")
        self.assertEqual(terminal.end(), 9)
        self.check_restored(terminal)

    def test_other_signals_give_the_terminal_back_too(self):
        for number in (signal.SIGHUP, signal.SIGQUIT):
            terminal = self.start(60)
            os.kill(terminal.pid, number)
            terminal.wait_for("\x1b[?1049l")
            self.assertEqual(terminal.settings(), terminal.before)
            self.assertEqual(terminal.end(), 130)
            self.check_restored(terminal)

    def test_a_smaller_terminal_gets_shorter_lines(self):
        terminal = self.start(60, size=(24, 200))
        terminal.wait_for("in the injector)")
        terminal.resize(8, 30)

        def fitting_frame():
            terminal.read()
            for frame in re.findall(r"\x1b\[H(.*?)\x1b\[J", terminal.output, re.DOTALL):
                lines = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r", "", frame).split("\n")
                if len(lines) <= 8 and max(map(len, lines)) <= 30:
                    return lines
            return None
        lines = wait_until(fitting_frame)
        self.assertRegex(lines[-2], r"^and \d+ more lines")
        self.assertEqual(lines[-1], "q quits")
        os.kill(terminal.pid, signal.SIGTERM)
        self.assertEqual(terminal.end(), 130)
        self.check_restored(terminal)


if __name__ == "__main__":
    unittest.main()

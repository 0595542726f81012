"""filch trace and filch report."""
import json
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import threading
import unittest

import command
from command import CLIENT, FILCH, LONG_CLIENT, children_of, wait_until


class Trace(command.Command):
    def has_run_jobs(self, tracer):
        """Has the program that process `tracer` has started?"""
        for pid in children_of(tracer):
            done = subprocess.run([FILCH, "top", "--once", "--json", "--pid", str(pid)],
                                  capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return any(p["total"]["jobs"] for p in json.loads(done.stdout)["pools"])
        return False

    def test_a_program_is_traced_and_its_exit_code_passed_on(self):
        said = self.call("trace", "-o", "out", "--", CLIENT)
        self.assertIn(f"Report: {self.folder.resolve()}/out.html", said)
        trace = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(trace["otherData"]["filch"]["format"], 1)
        self.assertIn("<html", (self.folder / "out.html").read_text())

    def test_an_ending_is_no_part_of_the_name(self):
        self.call("trace", "-o", "out.html", "--", CLIENT)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out.html", "out.json"])

    def test_options_after_the_dashes_are_the_programs(self):
        self.assertIn("--help -- x", self.call("trace", "--", "sh", "-c", f'echo "$@"; {CLIENT}', "sh",
                                               "--help", "--", "x"))

    def test_exit_codes_and_signals_of_the_program(self):
        self.call("trace", "--", "sh", "-c", f"{CLIENT}; exit 7", expect=7)
        self.assertTrue((self.folder / "filch-trace.html").exists())
        self.call("trace", "--", "sh", "-c", "kill -KILL $$", expect=128 + 9)
        self.assertIn("left no trace", self.said)

    def test_signals_that_end_the_program_leave_its_trace(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            base = f"s{code}"
            program = subprocess.Popen([FILCH, "trace", "-o", base, "--", LONG_CLIENT, "100000", "500"],
                                       cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                       start_new_session=True,
                                       env={**os.environ, "TMPDIR": str(self.folder),
                                            "FILCH_LIVE": "1"})
            wait_until(lambda tracer=program.pid: self.has_run_jobs(tracer))
            if number == signal.SIGINT:
                os.killpg(program.pid, number)  # as a terminal does it
            else:
                program.send_signal(number)  # is passed on
            said, _ = program.communicate(timeout=60)
            self.assertEqual(program.returncode, code)
            self.assertIn(f"Report: {self.folder.resolve()}/{base}.html", said)
            trace = json.loads((self.folder / f"{base}.json").read_text())["otherData"]["filch"]
            self.assertNotEqual(sum(t["jobs"] for t in trace["threads"]), 0)
            self.assertEqual(list(self.folder.glob("filch-*")), [])  # nothing is left behind

    def test_a_program_that_does_not_use_filch(self):
        self.call("trace", "--", "true", expect=1)
        self.assertIn("'true' has ended with exit code 0 and left no trace", self.said)
        self.call("trace", "--", "false", expect=1)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_several_processes_have_a_report_each(self):
        said = json.loads(self.call("trace", "--json", "--", "sh", "-c",
                                    f"{CLIENT} > /dev/null; {CLIENT} > /dev/null"))
        self.assertEqual(said["exit_code"], 0)
        self.assertEqual(len(said["traces"]), 2)
        self.assertEqual(len(list(self.folder.glob("*.html"))), 2)

    def test_json_and_the_page_say_what_the_trace_says(self):
        self.call("trace", "-o", "t", "--", CLIENT)
        said = json.loads(self.call("report", "t.json", "--json"))
        self.assertEqual((said["trace"], said["report"]), ("t.json", "t.html"))
        trace = json.loads((self.folder / "t.json").read_text())["otherData"]["filch"]
        jobs = sum(t["jobs"] for t in trace["threads"])
        self.assertIn(str(jobs), json.dumps(said["figures"]))

    def test_names_that_are_not_utf8(self):
        name = os.fsdecode(b"t\xff")
        said = json.loads(self.call("trace", "--json", "-o", name, "--", "sh", "-c",
                                    f"{CLIENT} > /dev/null; exit 7", expect=7))
        self.assertEqual(said["exit_code"], 7)
        self.assertEqual(said["traces"][0]["report"], "t\ufffd.html")
        said = json.loads(self.call("report", "--json", name + ".json"))
        self.assertEqual(said["trace"], "t\ufffd.json")

    def test_nothing_in_a_trace_or_its_name_commands_the_terminal(self):
        hostile = "\x1b[2J\x07\x7f\x80\x9b31m\x9f\u202e\u2066"
        name = hostile.replace("\x07", "\x08") + os.fsdecode(b"\x9b")
        self.call("trace", "-o", "t", "--", CLIENT)
        whole = json.loads((self.folder / "t.json").read_text())
        wrong = json.loads((self.folder / "t.json").read_text())
        whole["otherData"]["filch"]["program"] = hostile
        whole["otherData"]["filch"]["threads"][0]["name"] = hostile
        wrong["otherData"]["filch"]["pid"] = hostile
        for trace, code in ((whole, 0), (wrong, 1)):
            (self.folder / f"{name}.json").write_text(json.dumps(trace, ensure_ascii=False))
            for more in ((), ("--json",)):
                done = subprocess.run([FILCH, "report", f"{name}.json", *more], cwd=self.folder,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, code, done)
                said = (done.stdout + done.stderr).decode()  # raises if that is not UTF-8
                self.assertEqual(re.findall("[^\n -~\xa0-\u2029\u202f-\u2065\u206a-\U0010ffff]", said),
                                 [], said)
                if more and code == 0:
                    figures = json.loads(done.stdout)["figures"]
                    self.assertEqual(figures["program"], hostile)

    def test_a_damaged_trace_leaves_the_exit_code_alone(self):
        damage = "for t in $(dirname \"$FILCH_TRACE\")/*.json; do head -c 1000 $t > t; cat t > $t; done"
        for code, expect in ((7, 7), (0, 1)):
            said = self.call("trace", "--json", "-o", "d", "--", "sh", "-c",
                             f"{CLIENT} > /dev/null; {damage}; exit {code}", expect=expect)
            self.assertIn("ends in the middle", self.said)
            self.assertEqual(json.loads(said), {"exit_code": code, "traces": []})

    def test_a_trace_that_does_not_get_to_its_place_is_kept_and_spoken_of(self):
        # There was none when it was checked whether it can be written.
        self.call("trace", "-o", "x", "--", "sh", "-c", f"{CLIENT}; mkdir x.json", expect=1)
        self.assertIn("cannot write 'x.json': Is a directory; the trace is kept as '", self.said)
        kept = pathlib.Path(self.said.split("kept as '")[1].split("'")[0])
        self.assertEqual(kept.parent.parent, self.folder.resolve())
        self.assertEqual(json.loads(kept.read_text())["otherData"]["filch"]["format"], 1)
        self.assertFalse((self.folder / "x.html").exists())

    def test_a_place_that_takes_no_files_is_found_at_once(self):
        self.call("trace", "-o", "/proc/x", "--", "touch", "was-run", expect=2)
        self.assertIn("cannot write '/proc/x.json': ", self.said)
        self.assertFalse((self.folder / "was-run").exists())

    def test_the_trace_is_written_beside_its_place(self):
        (self.folder / "50%p").mkdir()  # not the process's number, though the program would take it for that
        said = self.call("trace", "-o", "50%p/x", "--", "sh", "-c", f'echo "$FILCH_TRACE"; {CLIENT}')
        self.assertTrue(said.startswith(f"{self.folder.resolve()}/50%%p/filch-"), said)
        self.assertEqual(sorted(p.name for p in (self.folder / "50%p").iterdir()), ["x.html", "x.json"])

    def test_a_signal_while_the_page_is_made_ends_that(self):
        os.mkfifo(self.folder / "x.html")  # no process reads it: the page waits
        for number in (signal.SIGINT, signal.SIGTERM):
            program = subprocess.Popen([FILCH, "trace", "-o", "x", "--", CLIENT], cwd=self.folder,
                                       stdout=subprocess.DEVNULL)
            self.addCleanup(program.kill)
            # The trace is in its place, and nothing is left of how it came there.
            wait_until(lambda: (self.folder / "x.json").exists() and not list(self.folder.glob("filch-*")))
            program.send_signal(number)
            self.assertEqual(program.wait(timeout=30), -number)
            json.loads((self.folder / "x.json").read_text())
            (self.folder / "x.json").unlink()

    def test_json_without_a_trace(self):
        said = self.call("trace", "--json", "--", "sh", "-c", "exit 7", expect=7)
        self.assertEqual(json.loads(said), {"exit_code": 7, "traces": []})

    def test_workers_of_pools_that_follow_each_other_are_not_idle_meanwhile(self):
        # Each round of stress has a pool of its own. How long two rounds take depends on the machine.
        seconds, pools = 0.5, []
        while sum(p["name"] == "stress" for p in pools) < 2:
            seconds *= 2
            said = json.loads(self.call("trace", "--json", "--", "sh", "-c",
                                        f"exec {FILCH} stress --seconds {seconds} --seed 1 -j 1 > /dev/null"))
            figures = said["traces"][0]["figures"]
            pools = figures["pools"]
        at_once = 1 + sum(p["workers"] for p in pools if p["name"] != "stress")  # the default pool
        self.assertEqual(figures["summary"]["workers_at_once"], at_once)
        self.assertLessEqual(figures["summary"]["of_workers"]["idle_ns"],
                             at_once * figures["summary"]["wall_ns"])

    def test_a_main_thread_that_joins_is_busy_meanwhile(self):
        self.call("trace", "-o", "t", "--", LONG_CLIENT, "100", "1000", env={"FILCH_NUM_THREADS": "1"})
        trace = json.loads((self.folder / "t.json").read_text())
        guests = [t for t in trace["otherData"]["filch"]["threads"] if t["kind"] == "guest"]
        self.assertEqual(len(guests), 1)
        visits, idle = ([e for e in trace["traceEvents"] if e.get("cat") == kind] for kind in ("guest", "idle"))
        drawn = sum(e["dur"] for e in visits) - sum(e["dur"] for e in idle)
        self.assertAlmostEqual(sum(e["dur"] for e in visits) * 1000, guests[0]["guest_ns"], delta=len(visits) * 1000)
        # Over a long time: the first event of a thread takes some, between what counts and what is drawn.
        self.assertAlmostEqual(drawn * 1000, guests[0]["busy_ns"], delta=guests[0]["busy_ns"] / 5)

    def test_the_number_of_events_is_passed_on(self):
        self.call("trace", "--events", "16", "--", CLIENT)
        trace = json.loads((self.folder / "filch-trace.json").read_text())["otherData"]["filch"]
        self.assertTrue(all(t["events"] <= 16 for t in trace["threads"]), trace["threads"])


class Report(command.Command):
    def test_files_that_are_no_traces_are_refused_with_the_reason(self):
        for name, text in (("empty", ""), ("words", "hello"), ("short", '{"traceEvents":[{"ph"'),
                           ("foreign", '{"traceEvents":[]}'), ("list", "[1,2]"),
                           ("deep", "[" * 100000)):
            (self.folder / name).write_text(text)
            self.call("report", name, "-o", "x.html", expect=1)
            self.assertRegex(self.said, rf"^filch: .*{name}")
        self.assertFalse((self.folder / "x.html").exists())

    def test_a_file_that_was_cut_in_an_escape_says_so(self):
        for text in ('{"a":"\\', '{"a":"\\u12', '{"a":tr', '{"a":1', '{"a":"\xc3'):
            (self.folder / "cut").write_bytes(text.encode("latin-1"))
            self.call("report", "cut", "-o", "x.html", expect=1)
            self.assertIn("the file ends in the middle", self.said)

    def test_a_foreign_trace_has_no_say_over_the_terminal(self):
        (self.folder / "e.json").write_text(json.dumps(
            {"otherData": {"filch": {"format": 1, "program": "\x1b[31mEVIL\x07"}}, "traceEvents": []}))
        said = self.call("report", "e.json")
        self.assertIn("?[31mEVIL?", said)
        self.assertNotRegex(said, "[\x1b\x07]")

    def test_a_limit_for_files_is_an_error_and_no_signal(self):
        self.call("trace", "-o", "t", "--", CLIENT)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        self.call("report", "t.json", "-o", "new.html", expect=1, preexec_fn=limit)
        self.assertIn("cannot write 'new.html'", self.said)
        self.call("trace", "-o", "new", "--", CLIENT, expect=1, preexec_fn=limit)
        self.assertIn("the trace could not be written", self.said)

    def test_links_that_lead_nowhere_are_refused(self):
        self.call("trace", "-o", "t", "--", CLIENT)
        (self.folder / "a").symlink_to("b")
        (self.folder / "b").symlink_to("a")
        self.call("report", "t.json", "-o", "a", expect=1)
        self.assertIn("cannot write", self.said)
        self.assertTrue((self.folder / "a").is_symlink() and (self.folder / "b").is_symlink())

    def test_a_symbolic_link_stays_one(self):
        self.call("trace", "-o", "t", "--", CLIENT)
        (self.folder / "real").mkdir()
        for target in ("real/old.html", "real/new.html"):  # one that is there, and one that is not
            (self.folder / "real/old.html").write_text("old")
            (self.folder / "link").unlink(missing_ok=True)
            (self.folder / "link").symlink_to(target)
            self.call("report", "t.json", "-o", "link")
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertIn("<html", (self.folder / target).read_text())
        (self.folder / "l.json").symlink_to("real/l.json")
        self.call("trace", "-o", "l", "--", CLIENT)
        self.assertTrue((self.folder / "l.json").is_symlink())
        json.loads((self.folder / "real/l.json").read_text())
        self.assertEqual([p.name for p in self.folder.rglob("*.part")], [])

    def test_a_fifo_is_written_to(self):
        self.call("trace", "-o", "t", "--", CLIENT)
        for name in ("f.html", "g.json"):
            os.mkfifo(self.folder / name)
            got = []
            reader = threading.Thread(target=lambda: got.append((self.folder / name).read_text()))
            reader.start()
            if name == "f.html":
                self.call("report", "t.json", "-o", name)
            else:
                self.call("trace", "-o", "g", "--", CLIENT)
            reader.join(30)
            self.assertIn("<html" if name == "f.html" else "traceEvents", got[0])
            self.assertTrue(stat.S_ISFIFO((self.folder / name).stat().st_mode))
        self.assertIn("<html", (self.folder / "g.html").read_text())

    def test_a_device_stays_one(self):
        self.call("trace", "-o", "t", "--", CLIENT)
        device = self.folder / "null"
        try:
            os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            device.write_text("x")
        except OSError:
            self.skipTest("this user cannot make a device here")
        self.call("report", "t.json", "-o", "null")
        self.assertTrue(stat.S_ISCHR(device.stat().st_mode))

    def test_a_device_is_no_endless_file(self):
        self.call("report", "/dev/null", "-o", "x.html", expect=1)


if __name__ == "__main__":
    unittest.main()

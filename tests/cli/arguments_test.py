"""Help, versions, exit codes and messages for what cannot be meant."""
import re
import shutil
import subprocess
import unittest

import command
from command import FILCH, QUICK, SOURCE

COMMANDS = ("demo", "trace", "report", "top", "stress", "bench", "doctor", "completion")


class Help(command.Command):
    def test_the_program_lists_its_commands(self):
        for words in (["--help"], ["-h"]):
            said = self.call(*words)
            for name in COMMANDS:
                self.assertRegex(said, rf"(?m)^  {name} ")
            self.assertIn("130 interrupted", said)

    def test_every_command_has_examples_and_exit_codes(self):
        for name in COMMANDS:
            said = self.call(name, "--help")
            self.assertIn("Examples:\n  ", said)
            self.assertIn("filch " + name, said)
            self.assertIn(f"Usage: filch {name} [OPTIONS]", said)
            self.assertIn("Exit codes: 0 done", said)
        self.assertIn("[OPTIONS] -- PROGRAM...", self.call("trace", "--help"))

    def test_the_version(self):
        self.assertRegex(self.call("--version"), r"^filch \d+\.\d+\.\d+\n$")


class BadArguments(command.Command):
    def refuse(self, *words, naming, **more):
        """Exit code 2, nothing on stdout, and a message that names the value."""
        self.assertEqual(self.call(*words, expect=2, **more), "")
        self.assertIn(naming, self.said)
        self.assertTrue(self.said.startswith("filch: "), self.said)

    def test_no_command(self):
        self.refuse(naming="no command was given")

    def test_an_unknown_command(self):
        self.refuse("dance", naming="dance")

    def test_an_unknown_option(self):
        for name in COMMANDS:
            extra = {"report": ["x.json"], "completion": ["bash"]}.get(name, [])
            self.refuse(name, *extra, "--nonsense", naming="--nonsense")
            self.refuse(name, *extra, "--nonsense=7", naming="--nonsense=7")

    def test_numbers_of_workers(self):
        for name in ("demo", "stress", "bench"):
            for value in ("0", "garbage", "-3", "1.5", "1025", "99999", ""):
                self.refuse(name, "-j", value, naming=f"not '{value}'")
        self.refuse("demo", "--workers=0", naming="not '0'")

    def test_more_workers_than_there_is_room_for(self):
        limited = ["bash", "-c", 'ulimit -v 300000; exec "$0" "$@"', FILCH]
        if subprocess.run([*limited, "--version"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this build needs more than that for itself")
        for name in ("demo", "bench", "stress"):
            done = subprocess.run([*limited, name, "-j", "1024"], cwd=self.folder, text=True,
                                  capture_output=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("filch: cannot start 1024 workers: ", done.stderr)

    def test_numbers_of_seconds(self):
        for name in ("stress", "bench", "top"):
            for value in ("-1", "0", "soon", "nan", "inf"):
                self.refuse(name, "--seconds", value, naming=f"not '{value}'")
        self.refuse("top", "--interval", "0", "--pid", "1", naming="not '0'")

    def test_other_numbers(self):
        self.refuse("stress", "--seed", "dice", naming="not 'dice'")
        self.refuse("demo", "--rounds", "0", naming="not '0'")
        self.refuse("demo", "--scale", "-1", naming="not '-1'")
        self.refuse("trace", "--events", "3", "--", "true", naming="not '3'")
        self.refuse("top", "--pid", "me", naming="not 'me'")

    def test_an_option_without_its_value(self):
        self.refuse("stress", "--seconds", naming="--seconds")

    def test_names_that_do_not_exist(self):
        self.refuse("demo", "dance", naming="'dance'")
        self.refuse("bench", "dance", naming="'dance'")
        self.refuse("completion", "fish", naming="'fish'")

    def test_files_that_cannot_be_read(self):
        self.refuse("report", naming="trace")
        self.refuse("report", "missing.json", naming="'missing.json'")
        self.refuse("report", str(self.folder), naming="directory")

    def test_places_that_cannot_be_written(self):
        (self.folder / "t.json").write_text("{}")
        self.refuse("report", "t.json", "-o", str(self.folder), naming="directory")
        self.refuse("report", "t.json", "-o", "no/where.html", naming="no/where.html")
        self.refuse("report", "t.json", "-o", "t.json", naming="would overwrite the trace")
        self.refuse("demo", *QUICK, "-o", "no/where.html", naming="no/where.html")
        self.refuse("demo", *QUICK, "-o", "", naming="empty")
        self.refuse("demo", *QUICK, "-o", "same.json", naming="'same.json' would be both the report")
        (self.folder / "link.json").symlink_to("link.html")
        (self.folder / "link.html").write_text("")
        self.refuse("demo", *QUICK, "-o", "link.html", naming="'link.html' would be both the report")
        self.refuse("trace", "-o", "no/where", "--", "true", naming="no/where")

    def test_where_stdout_goes_nothing_else_is_written(self):
        (self.folder / "t.json").write_text("{}")
        for line in ("demo --rounds 1 --scale 0.01 --json > filch-demo.json",
                     "report t.json --json > t.html", "trace -o x --json -- true > x.json"):
            done = subprocess.run(["bash", "-c", f'"$0" {line}', FILCH], cwd=self.folder, text=True,
                                  stderr=subprocess.PIPE, check=False, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"'{line.split()[-1]}': standard output goes to the same file", done.stderr)

    def test_nothing_is_put_beside_a_device(self):
        self.refuse("demo", *QUICK, "-o", "/dev/null", naming="'/dev/null.json' beside '/dev/null'")
        self.refuse("demo", *QUICK, "-o", "/dev/stdout", naming="/dev/stdout.json")
        self.refuse("trace", "-o", "/dev/null", "--", "true", naming="/dev/null.json")
        self.refuse("report", "/dev/stdin", naming="/dev/stdin.html")
        self.refuse("report", "/dev/fd/0", naming="/dev/fd/0.html")
        (self.folder / "link").symlink_to("/dev/null")
        self.refuse("report", "link", naming="link.html")

    def test_programs_that_cannot_be_run(self):
        self.refuse("trace", naming="after --")
        self.refuse("trace", "--", naming="after --")
        self.refuse("trace", "--", "./missing", naming="'./missing'")
        self.refuse("top", "--", "./missing", naming="'./missing'")
        self.refuse("top", naming="--pid N")
        self.refuse("top", "--pid", "1", "--", "true", naming="--pid N")
        self.refuse("top", "--once", "--", "true", naming="--once")
        self.refuse("top", "--json", "--prometheus", "--pid", "1", naming="not both")

    def test_values_for_switches_and_empty_names(self):
        self.refuse("doctor", "--json=3", naming="--json takes no value")
        self.refuse("top", "--once=no", "--pid", "1", naming="--once takes no value")
        for words in (("trace", "-o", "", "--", "true"), ("report", "t", "-o", ""), ("demo", "-o", "")):
            self.refuse(*words, naming="empty")
        self.refuse("top", "--pid", "1", "--", "true", naming="not both")

    def test_a_program_where_none_is_run(self):
        self.refuse("doctor", "--", "ls", naming="'ls'")

    def test_an_environment_that_makes_no_sense(self):
        for name in ("demo", "bench", "stress"):
            self.refuse(name, naming='"lots"', env={"FILCH_NUM_THREADS": "lots"})


class Output(command.Command):
    def test_a_reader_that_goes_away_is_no_reason_for_a_message(self):
        for words in (["--help"], ["doctor"], ["completion", "zsh"]):
            done = subprocess.run(["bash", "-c", '"$0" "$@" | head -c 1', FILCH, *words],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")

    def test_what_is_printed_does_not_end_up_in_a_file_if_stdout_is_closed(self):
        done = subprocess.run(["bash", "-c", '"$0" demo tree --rounds 1 --scale 0.01 -o x.html >&-', FILCH],
                              cwd=self.folder, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Bad file descriptor", done.stderr)
        self.assertTrue((self.folder / "x.html").read_text().startswith("<!"))
        self.call("report", "x.json")

    def test_a_full_disk_is_one(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([FILCH, "doctor"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


class Documents(command.Command):
    def test_the_manual_has_every_option(self):
        manual = (SOURCE / "cli/filch.1").read_text(encoding="utf-8").replace("\\", "")
        sections = dict(re.findall(r"(?ms)^\.SS filch (\w+)(.*?)(?=^\.S[SH] )", manual))
        self.assertEqual(sorted(sections), sorted(COMMANDS))
        for name in COMMANDS:
            listed = self.call(name, "--help").split("Options:")[1].split("Examples:")[0]
            options = set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", listed)) - {"-h", "--help"}
            for option in options:
                self.assertRegex(sections[name], rf"{option}\b", f"filch {name} {option}")

    def test_the_manual_can_be_shown(self):
        if not shutil.which("man"):
            self.skipTest("there is no man here")
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", str(SOURCE / "cli/filch.1")],
                              capture_output=True, text=True, check=False, env={"LC_ALL": "C.UTF-8",
                                                                               "PATH": "/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()

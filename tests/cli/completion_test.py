"""filch completion: what bash and zsh offer, asked as people ask them."""
import shlex
import shutil
import subprocess
import unittest

import command
from command import FILCH, Terminal

COMMANDS = {"demo", "trace", "report", "top", "stress", "bench", "doctor", "completion"}
LOADS = {"imbalance", "sort", "mandelbrot", "tree", "all"}
BENCHMARKS = {"fork", "spawn", "submit", "wake", "loop", "sort"}


class Bash(command.Command):
    def setUp(self):
        super().setUp()
        (self.folder / "script").write_text(self.call("completion", "bash"))
        subprocess.run(["bash", "-n", "script"], check=True, cwd=self.folder)

    def complete(self, *words):
        """What may stand in place of the last of the words."""
        line = (f"source ./script; COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; "
                '_filch; [[ ${#COMPREPLY[@]} -eq 0 ]] || printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", line], check=True, capture_output=True, text=True,
                              cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.splitlines())

    def test_commands_and_the_options_of_the_program(self):
        self.assertEqual(self.complete("filch", ""), COMMANDS)
        self.assertEqual(self.complete("filch", "--ver"), {"--version"})

    def test_words_out_of_a_few(self):
        self.assertEqual(self.complete("filch", "demo", ""), LOADS)
        self.assertEqual(self.complete("filch", "bench", ""), BENCHMARKS)
        self.assertEqual(self.complete("filch", "bench", "s"), {"spawn", "submit", "sort"})
        self.assertEqual(self.complete("filch", "completion", ""), {"bash", "zsh"})
        self.assertEqual(self.complete("filch", "demo", "-j", "2", "man"), {"mandelbrot"})

    def test_options(self):
        self.assertEqual(self.complete("filch", "stress", "--se"), {"--seed", "--seconds"})
        self.assertEqual(self.complete("filch", "doctor", ""), {"-h", "--help", "--json"})
        self.assertLessEqual({"-o", "--output", "--events", "--"}, self.complete("filch", "trace", ""))
        self.assertNotIn("--", self.complete("filch", "stress", "-"))

    def test_files_where_a_file_is_meant_and_nowhere_else(self):
        (self.folder / "a trace.json").write_text("")
        self.assertEqual(self.complete("filch", "report", "a"), {"a trace.json"})
        self.assertEqual(self.complete("filch", "report", "x.json", "-o", "a"), {"a trace.json"})
        self.assertEqual(self.complete("filch", "demo", "--output", "a"), {"a trace.json"})
        self.assertEqual(self.complete("filch", "demo", "--output", "=", "a"), {"a trace.json"})
        self.assertEqual(self.complete("filch", "trace", "-o", "a"), {"a trace.json"})
        self.assertEqual(self.complete("filch", "demo", "-j", ""), set())
        self.assertEqual(self.complete("filch", "demo", "--rounds", "a"), set())
        self.assertEqual(self.complete("filch", "stress", "a"), set())

    def test_a_program_and_its_files_after_the_dashes(self):
        (self.folder / "input").write_text("")
        self.assertIn("bash", self.complete("filch", "trace", "--", "bas"))
        self.assertEqual(self.complete("filch", "top", "--", "cat", "inp"), {"input"})


class Zsh(command.Command):
    def setUp(self):
        super().setUp()
        if not shutil.which("zsh"):
            self.skipTest("there is no zsh here")
        (self.folder / "a_trace.json").write_text("")
        (self.folder / "_filch").write_text(self.call("completion", "zsh"))
        subprocess.run(["zsh", "-n", "_filch"], check=True, cwd=self.folder)

    def start(self, load):
        """A shell that people type at, with the completion and nothing else of theirs."""
        terminal = Terminal([shutil.which("zsh"), "-f", "-i"], self.folder, size=(50, 200),
                            env={"PATH": f"{FILCH.rsplit('/', 1)[0]}:/usr/bin:/bin", "TERM": "dumb"})
        self.addCleanup(terminal.end)
        self.addCleanup(terminal.type, "\x15exit\n")
        terminal.type(f"autoload -Uz compinit; {load}; setopt no_beep no_list_ambiguous; "
                      "LISTMAX=0; PS1='ask''ing>'\n")
        terminal.wait_for("asking>")
        return terminal

    def complete(self, terminal, line, *expected):
        """Types a line, waits until all that is expected is there, and returns what is there."""
        terminal.output = ""
        terminal.type(line + "\t")  # no more: a list is left out while there is more to read
        for word in expected:
            terminal.wait_for(word)
        shown = terminal.output
        terminal.output = ""
        terminal.type("\x15\n")
        terminal.wait_for("asking>")
        return shown

    def test_commands_options_values_and_files(self):
        terminal = self.start('fpath=($PWD $fpath); compinit -u -D')
        for line, expected, unwanted in (
                ("filch ", COMMANDS, "a_trace"),
                ("filch demo ", LOADS, "a_trace"),
                ("filch bench ", BENCHMARKS, "a_trace"),
                ("filch completion ", {"bash", "zsh"}, "a_trace"),
                ("filch stress --se", {"--seed", "--seconds"}, "--workers"),
                ("filch demo -o a_", {"a_trace.json"}, "tree"),
                ("filch demo --output=a_", {"a_trace.json"}, "tree"),
                ("filch report a_", {"a_trace.json"}, "--json"),
                ("filch trace -", {"--events", "--output"}, "a_trace"),
                ("filch trace -- cat a_", {"a_trace.json"}, "--events")):
            with self.subTest(line):
                self.assertNotIn(unwanted, self.complete(terminal, line, *expected))

    def test_it_can_be_evaluated_too(self):
        terminal = self.start('compinit -u -D; eval "$(<_filch)"')
        self.complete(terminal, "filch demo m", "mandelbrot")


if __name__ == "__main__":
    unittest.main()

"""What the tests of the program share: running it, in a terminal and without one."""
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

FILCH = os.environ["FILCH"]
CLIENT = os.environ["FILCH_CLIENT"]  # a program that uses filch
LONG_CLIENT = os.environ["FILCH_LONG_CLIENT"]  # one that does so for as many steps as it is told
HANGING_CLIENT = os.environ["FILCH_HANGING_CLIENT"]  # one that hangs until its input ends
SOURCE = pathlib.Path(__file__).resolve().parents[2]
QUICK = ("--rounds", "1", "--scale", "0.02")  # of demo


class Command(unittest.TestCase):
    """Runs in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *words, expect=0, env=None, **more):
        """Runs the program; its stdout. What it says on stderr is in self.said."""
        done = subprocess.run([FILCH, *words], cwd=self.folder, capture_output=True, text=True,
                              check=False, env={**os.environ, **(env or {})}, timeout=60,
                              stdin=subprocess.DEVNULL, **more)
        self.said = done.stderr
        self.assertEqual(done.returncode, expect,
                         f"filch {' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout


def wait_until(happened, seconds=60):
    """Returns what `happened()` does, once that is something."""
    end = time.monotonic() + seconds
    while True:
        result = happened()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"did not happen within {seconds} s")
        time.sleep(0.02)


def children_of(parent):
    """The numbers of the processes that `parent` has started and not yet waited for."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(after_name[1]) == parent:
            yield int(stat.parent.name)


def page_of(pid):
    """Where the counters are that process `pid` publishes; None if it does not, or has ended."""
    try:
        for path in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            if "filch-live" in os.readlink(path):
                return path
    except OSError:  # the process, or the file, is gone
        pass
    return None


def wait_until_caught(pid, number):
    """Until the program has a handler for that signal: before that it would just end."""
    def caught():
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        (mask,) = (line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
        return int(mask, 16) >> (number - 1) & 1
    wait_until(caught)


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, words, cwd, size=(24, 100), env=None):
        ready, go = os.pipe()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.close(go)
            os.read(ready, 1)
            os.chdir(cwd)
            os.environ.update({"TERM": "xterm", **(env or {})})
            os.execv(words[0], words)
        self.before = self.settings()
        self.set_size(*size)
        self.output = ""
        os.write(go, b"!")  # now that its terminal is as it should be, and known
        os.close(ready)
        os.close(go)

    def set_size(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.set_size(rows, columns)
        os.kill(self.pid, signal.SIGWINCH)

    def settings(self):
        """What tcgetattr says, without the speeds."""
        flags = termios.tcgetattr(self.master)
        return flags[:4] + [flags[6]]

    def read(self, seconds=0.1):
        """Whatever comes within `seconds`; False once the program has closed the terminal."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, text, seconds=30):
        end = time.monotonic() + seconds
        while text not in self.output:
            if not self.read() or time.monotonic() > end:
                raise AssertionError(f"no {text!r} in {self.output!r}")

    def type(self, keys):
        os.write(self.master, keys.encode())

    def end(self, seconds=30):
        """Reads to the end; the exit code."""
        end = time.monotonic() + seconds
        while self.read():
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)

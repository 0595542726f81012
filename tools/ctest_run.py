"""Runs cmake, ninja and ctest for the test driver: shows progress, returns the results."""
import contextlib
import dataclasses
import fcntl
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

# "[12/40] Building ..." from ninja, " 3/9 Test #7: name ..... Passed" from ctest.
PROGRESS = re.compile(r"^(?:\[(\d+)/(\d+)\]|\s*(\d+)/(\d+) Test\b)")
VERDICT = re.compile(r"^\s*\d+/\d+ Test\s+#\d+: (\S+) \.*\s*(?:\*\*\*)?(.*?)\s+[\d.]+ sec")
SKIP_REASON = re.compile(r": Skipped\n(.*?)\n*\[  SKIPPED \]", re.DOTALL)
CASE = re.compile(r"^\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^\s,]+\.[^\s,]+)", re.MULTILINE)
OUTCOMES = {"OK": "passed", "SKIPPED": "skipped"}
# Not allowed in XML 1.0, but ctest copies them there from the output of a test.
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclasses.dataclass
class Result:
    """One test, or one build step that failed."""
    name: str
    outcome: str  # passed, failed or skipped
    reason: str = ""
    output: str = ""
    suite: str = ""  # the test of ctest that it is a part of, if that has another name


class Note:
    """Takes the place of a Progress for what runs in the background: keeps the text, prints nothing."""

    def __init__(self):
        self.text = ""

    def update(self, text):
        self.text = text


class Progress:
    """Shows progress: one changing line on a terminal; elsewhere a plain line from time to time. The
    text of `background` stands behind that of the foreground."""

    def __init__(self, interval=10.0, background=None):
        self.tty = sys.stdout.isatty()
        self.background = background or Note()
        self.interval = interval
        self.last = time.monotonic()
        self.shown = ""
        self.part = None

    def begin_part(self, number, start, budget, later):
        """Starts a part: lines begin with its number and end with the time that is left."""
        self.part = (number, start, budget, later)

    def _in_part(self, text, now):
        text = "; ".join(filter(None, [text, self.background.text]))
        if self.part is None:
            return text
        number, start, budget, later = self.part
        left = max(0.0, budget - (now - start)) + later
        return f"[{number}] {text}, about {max(1, round(left / 60))} min left"

    def update(self, text):
        now = time.monotonic()
        text = self._in_part(text, now)
        if self.tty:
            if now - self.last < 0.1 and self.shown:
                return
            text = text[: shutil.get_terminal_size().columns - 1]
            print("\r" + text.ljust(len(self.shown)), end="", flush=True)
            self.shown = text
        elif now - self.last < self.interval:
            return
        else:
            print(text, flush=True)
        self.last = now

    def line(self, text):
        """Prints a line that stays."""
        if self.tty and self.shown:
            print("\r" + " " * len(self.shown) + "\r", end="")
            self.shown = ""
        print(text, flush=True)
        self.last = time.monotonic()


_running = set()  # the groups of processes that run() has started


def stop_everything():
    """Ends the commands that all threads run. Their run() returns an exit code that is not 0."""
    for group in list(_running):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)


def run(command, title, progress, env=None):
    """Runs `command`; returns its exit code and its lines of output."""
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        text=True, errors="replace", env=env, start_new_session=True)
    _running.add(child.pid)
    arrived, lines, state, start = queue.Queue(), [], "", time.monotonic()

    def read():
        with child.stdout:
            for line in child.stdout:
                arrived.put(line)
        arrived.put(None)

    threading.Thread(target=read, daemon=True).start()
    try:
        while True:
            progress.update(f"{title}{state}, {time.monotonic() - start:.0f} s")
            try:
                line = arrived.get(timeout=1)
            except queue.Empty:  # a long test prints nothing for a while: show that time passes
                continue
            if line is None:
                return child.wait(), lines
            lines.append(line)
            if match := PROGRESS.match(line):
                done, total = (g for g in match.groups() if g)
                state = f" {done}/{total}"
    except BaseException:  # also Ctrl-C: leave nothing running behind
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGTERM)
        child.wait()
        raise
    finally:
        _running.discard(child.pid)


@contextlib.contextmanager
def locked(folder, progress):
    """Locks a build folder. Two builds in one folder would disturb each other: the second waits."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.line(f"waiting for another ./test that uses {folder}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build_failure(step, lines):
    """The `Result` of a failed configure or build, without the lines of steps that succeeded."""
    said = [line for line in lines if not PROGRESS.match(line)]
    return Result(step, "failed", "failed", "".join(said[-200:]))


def read_junit(path, verdicts):
    """The results in a file written by `ctest --output-junit`."""
    root = ElementTree.fromstring(CONTROL.sub(b"?", path.read_bytes()))
    results = []
    for case in root.iter("testcase"):
        name, status = case.get("name"), case.get("status")
        output = case.findtext("system-out") or ""
        skipped = case.find("skipped")
        message = skipped.get("message", "") if skipped is not None else ""
        if cases := cases_of_suite(name, output, status):
            results += cases
        elif status == "run":
            results.append(Result(name, "passed"))
        elif status == "disabled" or message.startswith("SKIP_"):
            results.append(Result(name, "skipped", skip_reason(status, output)))
        else:  # also a test that did not run because its program or fixture is missing
            results.append(Result(name, "failed", verdicts.get(name) or message, output))
    return results


def cases_of_suite(name, output, status):
    """The results of the tests of a GoogleTest suite that is the test `name` of ctest; [] if it is none,
    or if what it printed does not explain how it ended."""
    marks = list(CASE.finditer(output))
    begun = [i for i, mark in enumerate(marks) if mark[1] == "RUN"]
    suite = marks[begun[0]][2].partition(".")[0] if begun else ""
    if suite != name:
        return []
    results = []
    for i in begun:
        end = marks[i + 1] if i + 1 < len(marks) and marks[i + 1][2] == marks[i][2] else None
        said = output[marks[i].start():end.end() if end else len(output)]
        outcome = OUTCOMES.get(end[1], "failed") if end else "failed"
        reason = {"passed": "", "skipped": skip_reason("run", said)}.get(outcome, "Failed")
        results.append(Result(marks[i][2], outcome, reason, said if outcome == "failed" else "", name))
    explained = status == "run" or any(r.outcome != "passed" for r in results)
    return results if explained else []


def skip_reason(status, output):
    if status == "disabled":
        return "disabled"
    if match := SKIP_REASON.search(output):
        return " ".join(match[1].split())
    said = output.strip().splitlines()
    return said[-1] if said else "gave no reason"


def run_ctest(command, folder, title, progress, env=None):
    """Runs `command` (a ctest call) on the build in `folder`; returns a list of `Result`."""
    report = (pathlib.Path(folder) / "junit.xml").resolve()
    report.unlink(missing_ok=True)
    whole = ["--test-output-size-passed", "10000000", "--test-output-size-failed", "10000000"]
    code, lines = run([*command, *whole, "--output-junit", str(report)], title, progress, env)
    verdicts = {m[1]: m[2] for m in map(VERDICT.match, lines) if m}
    try:
        results = read_junit(report, verdicts)
    except (OSError, ElementTree.ParseError) as error:
        return [Result("ctest", "failed", f"no readable report: {error}", "".join(lines[-50:]))]
    if code != 0 and results and all(r.outcome != "failed" for r in results):
        results.append(Result("ctest", "failed", f"exit code {code}", "".join(lines[-50:])))
    return results

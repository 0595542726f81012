"""What run.py and ../compare share: programs, their samples, rounds and statistics."""
import dataclasses
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time


class UsageError(Exception):
    """The command line was wrong; its message says how."""


@dataclasses.dataclass(frozen=True)
class Program:
    """How to start one problem in one runtime."""
    problem: str
    runtime: str
    path: str
    version: str = ""
    foreign: bool = False  # given with --with: it knows neither the sizes nor the names of problems
    fewest_workers: int = 1  # with fewer there is nothing to measure

    def command(self, workers, samples, size):
        words = [str(self.path), str(workers), str(samples)]
        if not self.foreign:
            return [*words, size, self.problem]
        return words if size == "full" else [*words, size]


@dataclasses.dataclass
class Row:
    """The samples of one program on one number of workers."""
    program: Program
    workers: int
    seconds: list = dataclasses.field(default_factory=list)  # the best of each round
    size: int = 0
    operations: float = 1.0
    operation: str = "run"
    peak_kb: int = 0
    failure: str = ""

    @property
    def name(self):
        return f"{self.program.problem}/{self.program.runtime}"

    @property
    def minimum(self):
        return min(self.seconds)

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def spread(self):
        """How far the median lies above the minimum, as a fraction of it. Unlike the maximum, it
        decreases with more rounds, unless the noise is permanent."""
        return self.median / self.minimum - 1

    @property
    def each(self):
        """Seconds for one operation. Rows are compared by it, because their sizes may differ."""
        return self.minimum / self.operations


def read_samples(text, row):
    """The output lines of a program as (dictionary, seconds); raises ValueError for other lines."""
    samples = []
    for line in text.splitlines():
        sample = json.loads(line)
        seconds = float(sample["seconds"])
        if not (math.isfinite(seconds) and seconds > 0):
            raise ValueError(f"took {seconds} seconds")
        if sample.get("problem", row.program.problem) != row.program.problem:
            raise ValueError(f"is about {sample['problem']}")
        samples.append(sample)
    if not samples:
        raise ValueError("printed nothing")
    return samples


def run_once(row, samples, size, timeout):
    """Runs the program and adds its samples, or its failure, to the row."""
    command = row.program.command(row.workers, samples, size)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        row.failure = f"not done after {timeout:g} s"
        return
    except OSError as error:
        row.failure = str(error)
        return
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["(said nothing)"])[0]
        how = f"exit code {done.returncode}" if done.returncode > 0 else \
            f"killed by {signal.Signals(-done.returncode).name}"
        row.failure = f"{how}: {said}"
        return
    try:
        found = read_samples(done.stdout, row)
        row.seconds.append(min(float(s["seconds"]) for s in found))
        row.size = int(found[-1].get("size", 0))
        row.operations = float(found[-1].get("operations", 0)) or 0.0
        row.operation = str(found[-1].get("operation", "run"))
        row.peak_kb = max(row.peak_kb, *(int(s.get("peak_kb", 0)) for s in found))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        row.failure = f"printed no samples: {error!r}"


class Progress:
    """Shows progress: one changing line on a terminal; elsewhere a line per round, no escape codes."""

    def __init__(self, stream=sys.stderr):
        self.stream, self.live = stream, stream.isatty() and os.environ.get("TERM") != "dumb"

    def show(self, what, detail=""):
        if self.live:
            print(f"\r\x1b[K{what}{detail}", end="", file=self.stream, flush=True)
        elif not detail:
            print(what, file=self.stream, flush=True)

    def clear(self):
        if self.live:
            print("\r\x1b[K", end="", file=self.stream, flush=True)


@dataclasses.dataclass(frozen=True)
class Plan:
    rounds: int = 7
    samples: int = 1
    size: str = "full"
    pause: float = 0.3  # seconds between two programs, while threads of the first may still spin
    timeout: float = 600.0
    widest: float = 0.10  # a spread beyond this is measured again,
    extra: int = 7  # this many rounds at most


def measure(rows, title, plan, progress):
    """Runs all rounds of `rows`, interleaved: every round runs every row, so that all rows meet the
    same noise. Rows with a wide spread get more rounds."""
    def one_round(chosen, what):
        progress.show(f"{title}: {what}")
        for row in chosen:
            progress.show(f"{title}: {what}", f": {row.name}")
            time.sleep(plan.pause)
            if not row.failure:
                run_once(row, plan.samples, plan.size, plan.timeout)

    for number in range(plan.rounds):
        one_round(rows, f"round {number + 1} of {plan.rounds}")
    for number in range(plan.extra):
        wide = [r for r in rows if not r.failure and r.spread > plan.widest]
        if not wide:
            break
        one_round(wide, f"extra round {number + 1} of at most {plan.extra} "
                        f"for {', '.join(r.program.runtime for r in wide)}")
    progress.clear()


def adopt_operations(rows, size):
    """Fills in the operations of foreign programs, which need not count them: those of another program
    with the same size are used. A program that does not tell its size counts as full size only."""
    good = [r for r in rows if not r.failure]
    usual = next((r for r in good if r.operations and not r.program.foreign), None)
    known = {r.size: r for r in good if r.operations}
    for row in good:
        if row.operations:
            continue
        like = known.get(row.size) if row.size else usual if size == "full" else None
        if like:
            row.size, row.operations, row.operation = like.size, like.operations, like.operation
        else:
            row.failure = f"did size {row.size}, which no other runtime did" if row.size else \
                "does not say which size it did"
    # Without operations to count, a smaller problem is another problem.
    whole = [r for r in rows if not r.failure and r.operations == 1]
    for row in whole:
        if row.size != whole[0].size:
            row.failure = f"did size {row.size}, {whole[0].name} did {whole[0].size}"


def duration(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}" if seconds * factor < 1000 else \
                f"{seconds * factor:.0f} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def number(text, what, smallest, kind=int):
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not smallest <= value < math.inf:
        raise UsageError(f"{what}: '{text}' is not a number of {smallest} or more")
    return value


def numbers(text, what):
    return list(dict.fromkeys(number(word, what, 1) for word in text.split(",")))

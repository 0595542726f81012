#!/usr/bin/env python3
"""Compares filch with plain OpenMP loops under several compilers and flags, interleaved.

usage: bench/flags.py [options]

Each cell is a compiler with flags. For each cell it compiles the programs of bench/flags, then
measures them and prints two tables in Markdown: the ratios alone, and everything.

  --compilers A,B       default g++,clang++,clang++-19; one that is not installed is left out
  --flags A,B           default '-O2,-O3,-O3 -march=native'
  --only REGEX          only rows that match
  --workers N           threads on every side; default 2
  --rounds N            default 9, with --tiny 1
  --tiny                the smallest sizes, once, without pauses: does everything work?
  --pause SECONDS       between two programs; default 0.1
  --build FOLDER        builds there; default build/flags
  --library FILE        the libfilch.a to link with; default: builds one
  --json FILE           everything that was measured, for other programs

filch is called from main, on the default pool. The library is built once, by the first compiler, as
CMake builds it for users (Release). Ratio: the minimum of filch divided by that of the other side,
compiled in the same cell; a ratio above 1.1 is bold. Spread: how far the median lies above the
minimum. Clang's OpenMP needs libomp-19-dev, which clang++ 14 can use as well; Debian cannot install
two versions of it. `tools/packages.sh bench` installs all.
Exit code: 0, 1 if a program did not compile, failed or gave a wrong answer, 2 if the command line was
wrong.
"""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench/versus"))
import measure  # noqa: E402
from instructions import compiler_name  # noqa: E402
from measure import Plan, Program, Row, UsageError, duration, number  # noqa: E402
from run import listed, report_failures, split  # noqa: E402

LIMIT = 1.1
SIDES = ("filch", "openmp", "std_par")
VALUES = ("--compilers", "--flags", "--only", "--workers", "--rounds", "--pause", "--build",
          "--library", "--json")
SWITCHES = ("--tiny", "--help", "-h")


@dataclasses.dataclass(frozen=True)
class Cell:
    """A compiler with flags."""
    compiler: str
    name: str  # of the compiler, with its version
    flags: str

    def __str__(self):
        return f"{self.name} {self.flags}"

    @property
    def file_name(self):
        return re.sub(r"[^\w+.-]+", "_", str(self))


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One row in one cell: filch, and what it is compared with."""
    problem: str
    cell: Cell
    peer: str
    filch: Row
    other: Row

    @property
    def name(self):
        return f"{self.problem} / {self.peer}"

    @property
    def ratio(self):
        return self.filch.minimum / self.other.minimum

    @property
    def median_ratio(self):
        return self.filch.median / self.other.median


def find_cells(compilers, flags):
    """The cells of all compilers that are installed, and the compilers that are not."""
    missing = [c for c in compilers if not shutil.which(c)]
    return [Cell(c, compiler_name(c), f) for c in compilers if c not in missing for f in flags], missing


def libomp_folders(root=pathlib.Path("/usr/lib")):
    """Where libomp is. A clang of another version does not look there by itself."""
    return sorted(p.parent for p in root.glob("llvm-*/lib/libomp.so"))


def compile_command(cell, side, library, out):
    words = [cell.compiler, "-std=c++20", "-DNDEBUG", *cell.flags.split(), f"-I{ROOT}/include",
             f"-I{ROOT}/bench/versus", f"{ROOT}/bench/flags/{side}.cpp", "-pthread", "-o", str(out)]
    if side == "filch":
        return [*words, "-DFILCH_FROM_MAIN", str(library)]
    if side == "std_par":
        return [*words, "-ltbb"]
    folders = libomp_folders() if cell.name.startswith("clang") else []
    return [*words, "-fopenmp", *(f"-L{folder}" for folder in folders)]


def build_library(compiler, folder):
    cpus = str(len(os.sched_getaffinity(0)))
    for command in (["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                     f"-DCMAKE_CXX_COMPILER={compiler}"],
                    ["cmake", "--build", folder, "-j", cpus, "--target", "filch"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode != 0:
            print(done.stdout, file=sys.stderr)
            raise RuntimeError(f"the library does not build in {folder}; the output is above")
    return folder / "libfilch.a"


def compile_all(cells, folder, library, progress):
    """The programs as {(cell, side): path}, and a complaint for each that does not compile."""
    if not library:
        progress.show("building the library")
        library = build_library(cells[0].compiler, folder / "library")
    found, complaints = {}, []

    def compile_one(cell, side):
        out = folder / f"{side}-{cell.file_name}"
        done = subprocess.run(compile_command(cell, side, library, out), capture_output=True,
                              text=True, check=False)
        return out, done.stderr if done.returncode != 0 else None

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        started = {(cell, side): threads.submit(compile_one, cell, side)
                   for cell in cells for side in SIDES}
        for (cell, side), task in started.items():
            progress.show(f"compiling: {cell}, {side}")
            out, error = task.result()
            if error is None:
                found[cell, side] = out
            else:
                last = "\n".join(f"  {line}" for line in error.splitlines()[-5:])
                complaints.append(f"{side} does not compile with {cell}; is everything installed "
                                  f"(tools/packages.sh bench)?\n{last}")
    progress.clear()
    return found, complaints


def rows_by_problem(programs, only, workers):
    """{problem: {(cell, side): Row}}, cell by cell, so that both sides run next to each other."""
    chosen = {}
    for (cell, side), path in programs.items():
        for p in listed(path):
            if only.search(p["problem"]):
                program = Program(p["problem"], f"{side}, {cell}", path, p["version"])
                chosen.setdefault(p["problem"], {})[cell, side] = Row(program, workers)
    if not chosen:
        raise UsageError(f"no row matches --only '{only.pattern}'")
    return chosen


def comparisons(problem, rows):
    """What `rows`, {(cell, side): Row}, say about filch."""
    return [Comparison(problem, cell, side, rows[cell, "filch"], other)
            for (cell, side), other in rows.items()
            if side != "filch" and (cell, "filch") in rows
            and not other.failure and not rows[cell, "filch"].failure]


def shown(ratio):
    return f"**{ratio:.2f}**" if ratio > LIMIT else f"{ratio:.2f}"


def table(lines):
    """Lines of cells as a table in Markdown; the first line is its head."""
    head, *rest = lines
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rest])


def ratio_table(found):
    """One line for each row, one column for each cell."""
    cells = list(dict.fromkeys(c.cell for c in found))
    by_name = {}
    for c in found:
        by_name.setdefault(c.name, {})[c.cell] = shown(c.ratio)
    return table([["filch / other", *map(str, cells)],
                  *([name, *(ratios.get(cell, "") for cell in cells)]
                    for name, ratios in by_name.items())])


def whole_table(found):
    """One line for each row in each cell."""
    lines = [["row", "cell", "filch: minimum", "median", "spread", "other: minimum", "median", "spread",
              "ratio of minima", "of medians"]]
    for c in found:
        times = [text for row in (c.filch, c.other)
                 for text in (duration(row.minimum), duration(row.median), f"{row.spread:.0%}")]
        lines.append([c.name, str(c.cell), *times, shown(c.ratio), shown(c.median_ratio)])
    return table(lines)


def as_json(found):
    return [{"row": c.problem, "compiler": c.cell.name, "flags": c.cell.flags, "peer": c.peer,
             "filch_seconds": c.filch.seconds, "peer_seconds": c.other.seconds,
             "ratio": c.ratio, "median_ratio": c.median_ratio} for c in found]


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"--only: '{text}' is not a regular expression: {error}") from error


class Arguments:
    def __init__(self, words):
        surplus, options = split(words, VALUES, SWITCHES)
        if surplus:
            raise UsageError(f"'{surplus[0]}' is not an option")
        given = dict(options)
        self.help = "--help" in given or "-h" in given
        self.compilers = given.get("--compilers", "g++,clang++,clang++-19").split(",")
        self.flags = given.get("--flags", "-O2,-O3,-O3 -march=native").split(",")
        self.only = pattern(given.get("--only", ""))
        self.workers = number(given.get("--workers", "2"), "--workers", 1)
        self.build = pathlib.Path(given.get("--build", ROOT / "build/flags"))
        self.library = given.get("--library")
        self.json = given.get("--json")
        tiny = "--tiny" in given
        rounds = number(given.get("--rounds", "1" if tiny else "9"), "--rounds", 1)
        self.plan = Plan(rounds=rounds, size="tiny" if tiny else "full", extra=0 if tiny else rounds,
                         pause=number(given.get("--pause", "0" if tiny else "0.1"), "--pause", 0, float))


def run(arguments):
    cells, missing = find_cells(arguments.compilers, arguments.flags)
    for compiler in missing:
        print(f"{compiler} is not installed and left out (tools/packages.sh bench)", file=sys.stderr)
    if not cells:
        raise UsageError("--compilers: none of them is installed")
    arguments.build.mkdir(parents=True, exist_ok=True)
    out = open(arguments.json, "w", encoding="utf-8") if arguments.json else None
    progress = measure.Progress()
    programs, complaints = compile_all(cells, arguments.build, arguments.library, progress)
    chosen = rows_by_problem(programs, arguments.only, arguments.workers)
    found, all_rows = [], []
    for done, (problem, rows) in enumerate(chosen.items(), 1):
        measure.measure(list(rows.values()), f"[{done}/{len(chosen)}] {problem}", arguments.plan, progress)
        found += comparisons(problem, rows)
        all_rows += rows.values()
    if found:
        above = sum(c.ratio > LIMIT for c in found)
        print(f"{arguments.workers} threads, {arguments.plan.rounds} rounds or more, size "
              f"{arguments.plan.size}. {above} of {len(found)} ratios are above {LIMIT}.\n\n"
              f"{ratio_table(found)}\n\n{whole_table(found)}")
    if out:
        with out:
            json.dump(as_json(found), out, indent=1)
            out.write("\n")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if report_failures(all_rows) or complaints else 0


def main(words):
    try:
        arguments = Arguments(words)
        if arguments.help:
            print(__doc__.strip())
            return 0
        return run(arguments)
    except UsageError as error:
        print(f"flags.py: {error}\nSee bench/flags.py --help", file=sys.stderr)
        return 2
    except (OSError, RuntimeError) as error:
        print(f"flags.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `... | head` is not an error
    sys.exit(main(sys.argv[1:]))

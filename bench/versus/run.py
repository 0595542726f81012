#!/usr/bin/env python3
"""Runs the same problems in every runtime that was built, interleaved, and compares.

usage: run.py [BUILD]... [options]

BUILD is a build folder of the preset bench, build/bench by default. With several, for example of
two compilers, a runtime is called by its name and its folder: filch@bench-clang.

  --only REGEX          only problems, or problem/runtime, that match: 'fib', '^uts.*/(filch|onetbb)$'
  --ten                 only the ten rows that bench/plot.py draws, without rounds of one worker
  --quick               smaller sizes and fewer rounds: to look at, not to publish
  --tiny                the smallest sizes, once, without pauses: does everything work?
  --workers 1,2         the numbers of workers; default: 1 and as many as there are CPUs
  --rounds N            default 7, with --quick 3, with --tiny 1
  --samples N           by each process; the best counts. Default 1
  --with P/NAME=PATH    another program for problem P, called NAME. It is called with the arguments
                        WORKERS SAMPLES, with --quick a third one, quick, and prints the same lines of JSON
  --spread PERCENT      rows with a wider spread are measured again; default 10
  --extra N             in at most so many extra rounds; default as many as --rounds, with --tiny 0
  --pause SECONDS       between two programs; default 0.3
  --timeout SECONDS     for one program; default 600
  --json FILE           everything that was measured, for other programs
  --list                what there is, with versions; measures nothing

Minimum: the best of all rounds. Spread: how far the median lies above it. Of best: the minimum (per
operation, if there are many) divided by that of the fastest runtime other than `serial`. Of serial:
divided by that of `serial`. Peak MB: the most memory that a process of this row ever had.
Exit code: 0, 1 if a program failed or gave a wrong answer, 2 if the command line was wrong.
"""
import collections
import dataclasses
import json
import math
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys

import measure
import ten_rows
from measure import Plan, Program, Row, UsageError, duration, geometric_mean, number, numbers

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALUES = ("--only", "--workers", "--rounds", "--samples", "--with", "--spread", "--extra", "--pause",
          "--timeout", "--json")
SWITCHES = ("--ten", "--quick", "--tiny", "--list", "--help", "-h")
ROUNDS = {"full": "7", "quick": "3", "tiny": "1"}
# The CPU time of an idle pool is so close to 0 that its ratio means nothing.
NOT_IN_THE_MEAN = {"idle_cpu"}


def split(words, values=VALUES, switches=SWITCHES):
    """Command line words as (folders, [(option, value)])."""
    folders, options, words = [], [], list(words)
    while words:
        word, given, value = words.pop(0).partition("=")
        if not word.startswith("-"):
            folders.append(word + given + value)
        elif word in values:
            if not given and not words:
                raise UsageError(f"{word} needs a value after it")
            options.append((word, value if given else words.pop(0)))
        elif word in switches and not given:
            options.append((word, ""))
        else:
            raise UsageError(f"unknown option '{word}'")
    return folders, options


def executables(folder):
    """The programs in a build folder."""
    versus = folder / "bench/versus"
    found = [*versus.glob("versus_*"), *(versus / "rayon/release").glob("*")]
    return sorted(p for p in found if p.is_file() and os.access(p, os.X_OK) and not p.suffix)


def listed(path):
    """The problems that a program lists."""
    done = subprocess.run([path, "--list"], capture_output=True, text=True, check=False, timeout=20)
    if done.returncode != 0:
        raise UsageError(f"{path} --list: exit code {done.returncode}; was it built by another "
                         "version? Build it again")
    return [json.loads(line) for line in done.stdout.splitlines()]


def find_programs(folders):
    programs = []
    for folder in folders:
        paths = executables(folder) if folder.is_dir() else []
        if not paths:
            raise UsageError(f"no programs in {folder}; build them with\n  cmake --preset bench && "
                             "cmake --build --preset bench --target versus [versus_rayon]")
        suffix = f"@{folder.name}" if len(folders) > 1 else ""
        programs += [Program(p["problem"], p["runtime"] + suffix, path, p["version"],
                             fewest_workers=p.get("fewest_workers", 1))
                     for path in paths for p in listed(path)]
    return programs


def foreign_program(text, known):
    match = re.fullmatch(r"([^/=]+)/([^/=]+)=(.+)", text)
    if not match:
        raise UsageError(f"--with takes PROBLEM/NAME=PATH, not '{text}'")
    problem, name, path = match.groups()
    if problem not in known:
        raise UsageError(f"--with: there is no problem '{problem}'; there are "
                         + ", ".join(sorted(known)))
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        raise UsageError(f"--with: {path} is not a program")
    return Program(problem, name, os.path.abspath(path), foreign=True)


class Arguments:
    def __init__(self, words):
        folders, options = split(words)
        last = dict(options)
        self.help = "--help" in last or "-h" in last
        self.list = "--list" in last
        self.folders = [pathlib.Path(f) for f in folders or [ROOT / "build/bench"]]
        self.foreign = [value for option, value in options if option == "--with"]
        size = "tiny" if "--tiny" in last else "quick" if "--quick" in last else "full"
        rounds = number(last.get("--rounds", ROUNDS[size]), "--rounds", 1)
        tiny = size == "tiny"
        self.plan = Plan(
            rounds=rounds, samples=number(last.get("--samples", "1"), "--samples", 1),
            size=size, pause=number(last.get("--pause", "0" if tiny else "0.3"), "--pause", 0, float),
            timeout=number(last.get("--timeout", "600"), "--timeout", 1, float),
            widest=number(last.get("--spread", "10"), "--spread", 0, float) / 100,
            extra=number(last.get("--extra", "0" if tiny else str(rounds)), "--extra", 0))
        cpus = len(os.sched_getaffinity(0))
        ten = "--ten" in last
        self.workers = numbers(last.get("--workers", str(cpus) if ten else f"1,{cpus}"), "--workers")
        self.json = last.get("--json")
        try:
            self.only = re.compile(last.get("--only", ten_rows.ONLY if ten else ""))
        except re.error as error:
            raise UsageError(f"--only: '{last['--only']}' is not a regular expression: {error}") \
                from error

    def programs(self):
        """The programs that are asked for, by problem."""
        found = find_programs(self.folders)
        found += [foreign_program(text, {p.problem for p in found}) for text in self.foreign]
        names = collections.Counter(f"{p.problem}/{p.runtime}" for p in found)
        twice = [name for name, count in names.items() if count > 1]
        if twice:
            raise UsageError(f"there are two programs for {twice[0]}")
        chosen = collections.defaultdict(list)
        # One program that says so suffices, because the problem is the same for all.
        fewest = {p.problem: max(q.fewest_workers for q in found if q.problem == p.problem)
                  for p in found}
        for p in found:
            if self.only.search(p.problem) or self.only.search(f"{p.problem}/{p.runtime}"):
                chosen[p.problem].append(
                    dataclasses.replace(p, fewest_workers=fewest[p.problem]))
        if not chosen:
            raise UsageError(f"nothing matches --only '{self.only.pattern}'; --list shows what there is")
        return chosen


def is_serial(runtime):
    return runtime.partition("@")[0] == "serial"


def best_of(rows):
    """The fastest row; the serial code does not count, unless there is nothing else."""
    good = [r for r in rows if not r.failure]
    rivals = [r for r in good if not is_serial(r.program.runtime)] or good
    return min(rivals, key=lambda r: r.each, default=None)


def ratios(rows):
    best = best_of(rows)
    return {r.program.runtime: r.each / best.each for r in rows if not r.failure}


def of_serial(row, rows):
    """The time divided by that of `serial`, of the same build folder if it has one; None without one."""
    _, _, folder = row.program.runtime.partition("@")
    plain = [r for r in rows if not r.failure and is_serial(r.program.runtime)]
    plain = [r for r in plain if r.program.runtime.partition("@")[2] == folder] or plain
    return row.each / min(r.each for r in plain) if plain else None


def counted(workers):
    return f"{workers} worker{'s' if workers > 1 else ''}"


def table(problem, workers, rows, plan):
    """The lines of one problem on one number of workers."""
    best = best_of(rows)
    if not best:
        return []
    size = f", size {best.size}" if best.size else ""
    lines = [f"{problem}{size}, {counted(workers)}"]
    many = any(r.operations > 1 for r in rows)
    plain = of_serial(best, rows) is not None
    heads = ["runtime", "minimum", *([f"per {best.operation}"] if many else []), "spread", "of best",
             *(["of serial"] if plain else []), "peak MB", ""]
    cells = [heads]
    for row in sorted((r for r in rows if not r.failure), key=lambda r: r.each):
        notes = []
        if row.size != best.size:
            notes.append(f"at size {row.size}")
        if row.spread > plan.widest:
            notes.append(f"spread still wide after {len(row.seconds)} rounds")
        elif len(row.seconds) > plan.rounds:
            notes.append(f"{len(row.seconds)} rounds")
        spread = f"{row.spread:.0%}" if len(row.seconds) > 1 else "-"
        cells.append([row.program.runtime, duration(row.minimum),
                      *([duration(row.each)] if many else []), spread,
                      f"{row.each / best.each:.2f}",
                      *([f"{of_serial(row, rows):.2f}"] if plain else []),
                      f"{row.peak_kb / 1024:.1f}" if row.peak_kb else "-", "; ".join(notes)])
    widths = [max(len(line[i]) for line in cells) for i in range(len(heads))]
    for line in cells:
        words = [line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:-1], widths[1:-1])),
                 line[-1]]
        lines.append(("  " + "  ".join(words)).rstrip())
    return lines


def mean_table(tables):
    """Geometric means over problems, for each runtime. `tables`: the rows of each problem."""
    tables = [rows for rows in tables if rows[0].program.problem not in NOT_IN_THE_MEAN]
    by_runtime = collections.defaultdict(dict)
    for rows in tables:
        for runtime, ratio in ratios(rows).items():
            if not is_serial(runtime):  # it does not compete: it starts no threads
                by_runtime[runtime][rows[0].program.problem] = ratio
    reference = by_runtime.get("filch", {})
    means = {}
    for runtime, found in by_runtime.items():
        shared = [p for p in found if p in reference]
        means[runtime] = {"of_best": geometric_mean(found.values()), "problems": len(found),
                          "of_filch": geometric_mean(found[p] / reference[p] for p in shared)}
    return dict(sorted(means.items(), key=lambda item: item[1]["of_best"])), len(tables)


def print_means(workers, tables):
    means, problems = mean_table(tables)
    if problems < 2:
        return
    print(f"geometric mean, {counted(workers)}")
    width = max(map(len, means))
    print(f"  {'runtime'.ljust(width)}  of best  of filch  problems")
    for runtime, m in means.items():
        against = "-" if math.isnan(m["of_filch"]) else f"{m['of_filch']:.2f}"
        print(f"  {runtime.ljust(width)}  {m['of_best']:7.2f}  {against:>8}  "
              f"{m['problems']:>3} of {problems}")
    print("  (of filch: over the problems that both have)\n")


def row_as_json(row, rows):
    """One row as a dictionary. `rows`: the rows that it is compared with."""
    found = {"problem": row.program.problem, "runtime": row.program.runtime,
             "version": row.program.version, "workers": row.workers, "size": row.size,
             "seconds": row.seconds, "operations": row.operations, "operation": row.operation,
             "peak_kb": row.peak_kb, "failure": row.failure}
    if not row.failure:
        found |= {"minimum": row.minimum, "spread": row.spread,
                  "of_best": ratios(rows)[row.program.runtime], "of_serial": of_serial(row, rows)}
    return found


def means_as_json(tables):
    """The means for each number of workers; null where JSON has no number."""
    return {str(workers): {runtime: {key: None if math.isnan(value) else value
                                     for key, value in mean.items()}
                           for runtime, mean in mean_table(all_rows)[0].items()}
            for workers, all_rows in tables.items()}


def as_json(groups, tables, plan):
    """`groups`: the rows of each problem on each number of workers; `tables`: see run()."""
    return {"machine": {"cpu_count": os.cpu_count(), "system": platform.system(),
                        "architecture": platform.machine()},
            "size": plan.size, "rounds": plan.rounds,
            "rows": [row_as_json(row, rows) for rows in groups for row in rows],
            "geometric_means": means_as_json(tables)}


def show_list(chosen):
    for problem, programs in sorted(chosen.items()):
        print(f"{problem}: " + ", ".join(
            p.runtime + (f" {p.version}" if p.version not in ("", "-") else "") for p in programs))


def report_failures(rows):
    for row in rows:
        if row.failure:
            print(f"failed: {row.name} on {row.workers}: {row.failure}", file=sys.stderr)
    return any(r.failure for r in rows)


def to_measure(chosen, workers):
    """Pairs of a problem and a number of workers, if that is enough for it."""
    pairs = [(problem, count) for problem in sorted(chosen) for count in workers]
    enough = [(p, n) for p, n in pairs if n >= chosen[p][0].fewest_workers]
    for problem, count in pairs:
        if (problem, count) not in enough:
            print(f"{problem} needs {counted(chosen[problem][0].fewest_workers)}: nothing to measure "
                  f"with {count}", file=sys.stderr)
    if not enough:
        raise UsageError("--workers: too few for what --only asks for")
    return enough


def run(arguments):
    chosen, plan, progress = arguments.programs(), arguments.plan, measure.Progress()
    if arguments.list:
        show_list(chosen)
        return 0
    todo = to_measure(chosen, arguments.workers)
    if arguments.json:
        try:
            out = open(arguments.json, "w", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--json: {error}") from error
    versions = {p.runtime: p.version for ps in chosen.values() for p in ps
                if p.version not in ("", "-")}
    if versions:
        print("versions: " + ", ".join(f"{r} {v}" for r, v in sorted(versions.items())) + "\n")
    groups, tables = [], collections.defaultdict(list)  # by number of workers: rows of each problem
    for done, (problem, workers) in enumerate(todo, 1):
        rows = [Row(p, workers) for p in chosen[problem]]
        title = f"[{done}/{len(todo)}] {problem}, {counted(workers)}"
        measure.measure(rows, title, plan, progress)
        measure.adopt_operations(rows, plan.size)
        groups.append(rows)
        if best_of(rows):
            tables[workers].append(rows)
            print("\n".join(table(problem, workers, rows, plan)) + "\n", flush=True)
    for workers, all_rows in sorted(tables.items()):
        print_means(workers, all_rows)
    if arguments.json:
        with out:
            json.dump(as_json(groups, tables, plan), out, indent=1, allow_nan=False)
            out.write("\n")
    return 1 if report_failures([row for rows in groups for row in rows]) else 0


def main(words):
    try:
        arguments = Arguments(words)
        if arguments.help:
            print(__doc__.strip())
            return 0
        return run(arguments)
    except UsageError as error:
        print(f"run.py: {error}\nSee run.py --help", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `... | head` is not an error
    sys.exit(main(sys.argv[1:]))

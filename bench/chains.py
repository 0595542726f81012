#!/usr/bin/env python3
"""Counts the instructions of chains of parallel ranges and of the same plain loops, and reports chains
that take too many.

usage: chains.py PROGRAM [COMPILER]

PROGRAM is bench_chains, which runs every row (bench/chains) on one worker. With COMPILER, the one that
built PROGRAM, rows are judged: a chain may take 1.1 times the instructions of its loop, except for
those in KNOWN. Without it rows are only shown. Instruction counts do not depend on other load.
Exit code: 0, 1 if a chain takes too many (or fewer than KNOWN says), 2 if the command line was wrong,
77 if there is no valgrind.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from instructions import SKIPPED, compiler_name

LIMIT = 1.1
TOLERANCE = 0.05
# Rows over the limit, {"compiler 14": {"row": 1.2}}; why is in docs/investigations/0008-ranges.md.
KNOWN = {}

COUNTED = re.compile(r"counted_(chain|loop)<(?:.*::)?(\w+)>")


def inclusive(dump):
    """The instructions of each function, with those that it calls, from a file that callgrind wrote."""
    names, costs, current = {}, {}, None
    for line in dump.splitlines():
        if match := re.match(r"fn=\((\d+)\)(?: (.*))?", line):
            if match[2]:
                names[match[1]] = match[2]
            current = match[1]
        elif match := re.match(r"cfn=\((\d+)\)(?: (.*))?", line):
            if match[2]:
                names[match[1]] = match[2]
        elif current and (match := re.match(r"[+\-*\d]\S* (\d+)$", line)):
            costs[current] = costs.get(current, 0) + int(match[1])
    return {names[number]: cost for number, cost in costs.items()}


def ratios(costs):
    """The instructions of the chain divided by those of the loop, by the name of the row."""
    found = {}
    for name, cost in costs.items():
        if match := COUNTED.search(name):
            found.setdefault(match[2], {})[match[1]] = cost
    return {row: both["chain"] / both["loop"] for row, both in found.items()}


def count(program):
    with tempfile.TemporaryDirectory() as folder:
        dump = pathlib.Path(folder) / "callgrind.out"
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={dump}", program],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0 or not dump.exists():
            raise RuntimeError(f"{program} under callgrind: exit code {done.returncode}\n{done.stderr}")
        return ratios(inclusive(dump.read_text(encoding="utf-8")))


def judge(row, found, known):
    """The complaint about a row; None if it is as it should be."""
    limit = known.get(row, LIMIT)
    if found > limit * (1 + TOLERANCE * (row in known)):
        return (f"{row}: the chain takes {found:.2f} of the instructions of the loop, which is more "
                f"than {limit:.2f}. Look at what its leaf compiles to now (bench/chains).")
    if row in known and found < limit * (1 - TOLERANCE):
        return f"{row}: only {found:.2f} now: write that into KNOWN in bench/chains.py, or take it out."
    return None


def main(words):
    if len(words) not in (1, 2) or not pathlib.Path(words[0]).exists():
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return SKIPPED
    known = KNOWN.get(compiler_name(words[1]), {}) if len(words) == 2 else None
    bad = 0
    for row, found in count(words[0]).items():
        said = None if known is None else judge(row, found, known)
        print(said or f"{row:30} {found:5.2f}")
        bad += bool(said)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

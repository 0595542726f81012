#!/usr/bin/env python3
"""Counts the instructions of a fork, a spawned task and an item of a chain, and reports figures that
differ from the recorded ones.

usage: instructions.py BUILD COMPILER

BUILD has the programs of bench/versus. One worker runs a problem under callgrind twice, with
different numbers of samples. The difference, divided by the forks (tasks, items) in it, is the cost of
one of them. It includes the work of the problem itself and the check of the answer. Unlike times, such
figures hardly depend on other load.
Exit code: 0, 1 if a figure has moved, 2 if the command line was wrong, 77 if there is none recorded
for this compiler, or no valgrind.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

# Problem: the page that has it, and a size that is small and yet large enough to make one-time costs
# negligible.
PROBLEMS = {
    "fib": ("fib", 22),
    "fib_swapped": ("fib", 22),
    "shapes_captures": ("shapes", 14),
    "shapes_void": ("shapes", 14),
    "shapes_24_bytes": ("shapes", 14),
    "shapes_three": ("shapes", 9),
    "shapes_four": ("shapes", 7),
    "scope_spawn_1000": ("scope_spawn", 20000),
    "map_filter_sum": ("ranges", 400),
}
# The operations of a problem, and what makes them; forks if it is not here.
OTHERS = {"scope_spawn_1000": ("a task", "spawn()"), "map_filter_sum": ("an item", "the chain")}
# After an intended change: copy the figures that the test prints.
RECORDED = {
    "g++ 12": {"fib": 38.5, "fib_swapped": 32.9, "shapes_captures": 61.2, "shapes_void": 44.0,
               "shapes_24_bytes": 55.2, "shapes_three": 32.2, "shapes_four": 25.3,
               "scope_spawn_1000": 99.4, "map_filter_sum": 38.3},
    "clang++ 14": {"fib": 37.4, "fib_swapped": 37.1, "shapes_captures": 56.8, "shapes_void": 52.1,
                   "shapes_24_bytes": 61.7, "shapes_three": 51.5, "shapes_four": 46.9,
                   "scope_spawn_1000": 87.5, "map_filter_sum": 40.9},
}
TOLERANCE = 0.03
ATTEMPTS = 3

SAMPLES = (1, 9)
SKIPPED = 77


def compiler_name(compiler):
    """The name and major version of a compiler, as in RECORDED."""
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    kind = "clang++" if "clang" in said else "g++"
    return f"{kind} {re.search(r'[0-9]+', re.sub(r'[(].*?[)]', '', said.splitlines()[0]))[0]}"


def program_of(problem, build):
    return pathlib.Path(build) / f"bench/versus/versus_{PROBLEMS[problem][0]}_filch"


def count(program, samples, problem):
    """The instructions of a whole run, and the number of forks or tasks in its timed part."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program,
                           "1", str(samples), str(PROBLEMS[problem][1]), problem],
                          capture_output=True, text=True, check=False)
    match = re.search(r"Collected : ([0-9]+)", done.stderr)
    if done.returncode != 0 or not match:
        raise RuntimeError(f"{program} under callgrind: exit code {done.returncode}\n{done.stderr}")
    return int(match[1]), sum(json.loads(line)["operations"] for line in done.stdout.splitlines())


def per_operation(program, problem):
    (less, few), (more, many) = (count(program, samples, problem) for samples in SAMPLES)
    return (more - less) / (many - few)


def judge(compiler, problem, found, recorded):
    """The complaint about a figure; None if it has not moved."""
    if abs(found / recorded - 1) <= TOLERANCE:
        return None
    moved = "more" if found > recorded else "fewer"
    what, function = OTHERS.get(problem, ("a fork", "join()"))
    return (f"{problem} with {compiler}: {what} takes {found:.1f} instructions, {moved} than the "
            f"{recorded:.1f} recorded (tolerance {TOLERANCE:.0%}).\nIf that was meant to be, write "
            f"{found:.1f} into RECORDED in bench/instructions.py; if not, look at what {function} "
            "compiles to now.")


def main(words):
    if len(words) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    needed = {program_of(problem, words[0]) for problem in PROBLEMS}
    missing = [str(program) for program in sorted(needed) if not program.exists()]
    missing += [] if shutil.which(words[1]) else [words[1]]
    if missing:
        print(f"instructions.py: no {', '.join(missing)}", file=sys.stderr)
        return 2
    compiler = compiler_name(words[1])
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return SKIPPED
    recorded = RECORDED.get(compiler)
    if not recorded:
        print(f"skipped: nothing is recorded for {compiler}; there is {', '.join(RECORDED)}")
        return SKIPPED
    moved = 0
    for problem, figure in recorded.items():
        # A loop looks at the clock to learn how long its items take. So other load may divide a chain in
        # another way: a figure that seems to have moved is measured again.
        for _ in range(ATTEMPTS):
            found = per_operation(program_of(problem, words[0]), problem)
            said = judge(compiler, problem, found, figure)
            if not said:
                break
        print(said or f"{problem} with {compiler}: {found:.1f} instructions, as recorded")
        moved += bool(said)
    return 1 if moved else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

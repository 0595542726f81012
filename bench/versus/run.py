#!/usr/bin/env python3
"""Runs one problem in every runtime that was built, interleaved, and prints minimum, spread and ratio.

usage: run.py BUILD [--problem fib] [--rounds 7] [--workers 1,2] [--pause 0.3]

BUILD is the build folder of the bench preset, for example build/bench; the target versus_rayon, which needs
cargo, has to be built by name. Each round starts one process
per runtime, in turn, so that all meet the same noise; between two runs there is a pause, long enough for
threads that spin to be gone. The ratio is to the fastest runtime other than the serial code.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def programs(build, problem):
    found = {p.name.split("_", 2)[2]: p for p in (build / "bench/versus").glob(f"versus_{problem}_*")
             if p.is_file()}
    rayon = build / f"bench/versus/rayon/release/{problem}"
    if rayon.exists():
        found["rayon"] = rayon
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--problem", default="fib")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--pause", type=float, default=0.3)
    args = parser.parse_args()
    found = programs(args.build, args.problem)
    if not found:
        parser.error(f"nothing was built for '{args.problem}' in {args.build}: "
                     "cmake --preset bench && cmake --build --preset bench")
    for workers in [int(w) for w in args.workers.split(",")]:
        times = {runtime: [] for runtime in found}
        for round_number in range(args.rounds):
            print(f"{args.problem}, {workers} workers: round {round_number + 1} of {args.rounds}",
                  file=sys.stderr)
            for runtime, program in found.items():
                time.sleep(args.pause)
                done = subprocess.run([program, str(workers), "1"], check=True, text=True,
                                      stdout=subprocess.PIPE)
                times[runtime].append(json.loads(done.stdout)["seconds"])
        best = min(min(t) for r, t in times.items() if r != "serial")
        print(f"{args.problem}, {workers} workers, minimum of {args.rounds} interleaved rounds")
        for runtime, t in sorted(times.items(), key=lambda item: min(item[1])):
            spread = (max(t) - min(t)) / min(t)
            print(f"  {runtime:10} {min(t) * 1e3:10.2f} ms   spread {spread:4.0%}   "
                  f"{min(t) / best:6.2f} of the best")
    return 0


if __name__ == "__main__":
    sys.exit(main())

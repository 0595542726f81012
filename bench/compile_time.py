#!/usr/bin/env python3
"""Measures how long programs that use filch take to compile.

usage: compile_time.py [--chains] COMPILER [FLAG]...

FLAGs are -O2 by default. Each row is a file that is compiled once in each of several rounds; the best
round counts, in seconds of processor time. A row of an include alone comes first; the rows behind it
also show what they add to it. With --chains there are rows for all adaptors and consumers of ranges.
Nothing here is a test: times depend on the machine and on its load.
Exit code: 0, 1 if something does not compile, 2 if the command line was wrong.
"""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROUNDS = 5

ALL = '#include <vector>\n#include "filch/filch.hpp"\n'
RANGES = '#include <vector>\n#include "filch/ranges.hpp"\n'
# They can be chained in any order: each makes ints of ints, by itself or with a map().
ADAPTORS = {
    "map": "map([](int x) { return x + 1; })",
    "filter": "filter([](int x) { return x > 1; })",
    "filter_map": "filter_map([](const int& x) { return &x; })",
    "flat_map": "flat_map([](int x) { return filch::par_indices(0, x); })",
    "flatten": "map([](int x) { return filch::par_indices(0, x); }).flatten()",
    "inspect": "inspect([](int) {})",
    "update": "update([](int& x) { ++x; })",
    "copied": "copied()",
    "take": "take(10)",
    "skip": "skip(10)",
    "rev": "rev()",
    "step_by": "step_by(2)",
    "enumerate": "enumerate().map([](auto at) { return at.second; })",
    "zip": "zip(v).map([](auto xy) { return xy.first; })",
    "chunks": "chunks(3).map([](auto part) { return part[0]; })",
    "windows": "windows(3).map([](auto part) { return part[0]; })",
    "chunk_by": "chunk_by([](int a, int b) { return a < b; }).map([](auto part) { return part[0]; })",
    "intersperse": "intersperse(0)",
    "chain": "chain(v)",
    "fold": "fold([] { return 0; }, [](int a, int b) { return a + b; })",
    "take_any": "take_any(10)",
    "skip_any": "skip_any(10)",
    "map_init": "map_init([] { return 1; }, [](int& state, int x) { return state + x; })",
}
CONSUMERS = {
    "for_each": "for_each([](int) {})",
    "sum": "sum()",
    "to_vector": "to_vector()",
    "reduce": "reduce(0, [](int a, int b) { return a > b ? a : b; })",
    "min": "min()",
    "find_first": "find_first([](int x) { return x > 3; })",
    "partition": "partition([](int x) { return x > 3; })",
    "group_by": "group_by([](int x) { return x % 3; })",
}
AS_DOUBLES = "map([](int x) { return x * 0.5; })"
FIVE = ("map", "filter", "map", "inspect", "filter")


def program(call, head=RANGES, element="int"):
    parameter = f"std::vector<{element}>& v"
    return head + f"void run({parameter});\nvoid run({parameter}) {{ (void)({call}); }}\n"


def chain_of(adaptors, consumer="sum()"):
    return "filch::par(v)" + "".join("." + ADAPTORS[name] for name in adaptors) + "." + consumer


def time_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(compiler, flags, source):
    """The seconds of processor time; None if it does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "chain.cpp"
        path.write_text(source, encoding="utf-8")
        start = time_of_children()
        done = subprocess.run([compiler, "-std=c++20", *flags, f"-I{ROOT / 'include'}", "-c", str(path),
                               "-o", str(path.with_suffix(".o"))],
                              capture_output=True, text=True, check=False)
        took = time_of_children() - start
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        return None
    return took


def usual_rows():
    """What most programs pay: the sources to compile, by name; the include alone comes first."""
    yield "filch.hpp alone", ALL
    yield "one parallel_for", program("filch::parallel_for(0, 1000, [&](int i) { v[i] += i; })", ALL)
    yield "sort of a vector of doubles", program("filch::sort(v)", ALL, "double")
    yield "a chain of five, then sum", program(chain_of(FIVE), ALL)


def chain_rows():
    """The same for ranges: every adaptor, every consumer, and chains of several."""
    yield "ranges.hpp alone", RANGES
    yield "par(v).sum()", program(chain_of(()))
    for name in ADAPTORS:
        yield f"{name}, then sum", program(chain_of((name,)))
    for name, consumer in CONSUMERS.items():
        yield f"{name} alone", program(chain_of((), consumer))
    for depth in range(1, len(FIVE) + 1):
        yield f"{depth} adaptors, then sum", program(chain_of(FIVE[:depth]))
    for name, consumer in CONSUMERS.items():
        if name != "sum":
            yield f"5 adaptors, then {name}", program(chain_of(FIVE, consumer))
    yield "5 adaptors, then double sum", program(chain_of(FIVE, AS_DOUBLES + ".sum()"))
    yield "5 with positions, then sum", program(chain_of(("map", "zip", "rev", "take", "enumerate")))
    yield "5 with a fold, then sum", program(chain_of(("map", "filter", "fold", "map", "filter")))
    with_flat_map = ("map", "filter", "flat_map", "filter", "map")
    for name in ("sum", "to_vector", "find_first", "group_by"):
        yield f"5 with flat_map, {name}", program(chain_of(with_flat_map, CONSUMERS[name]))
    yield "5 with flat_map, double sum", program(chain_of(with_flat_map, AS_DOUBLES + ".sum()"))
    with_two = ("map", "flat_map", "filter", "flat_map", "map")
    yield "5 with two flat_map, sum", program(chain_of(with_two))
    yield "5 with two flat_map, to_vector", program(chain_of(with_two, "to_vector()"))


def main(words):
    rows = usual_rows
    if words[:1] == ["--chains"]:
        rows, words = chain_rows, words[1:]
    if not words or words[0].startswith("-") or not shutil.which(words[0]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    flags = words[1:] or ["-O2"]
    best = {}
    for number in range(ROUNDS):  # each round has all rows, because the machine may be slow for a while
        for name, source in rows():
            took = seconds(words[0], flags, source)
            if took is None:
                print(f"{name}: does not compile", file=sys.stderr)
                return 1
            best[name] = min(best.get(name, took), took)
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
    include = next(iter(best.values()))
    for number, (name, took) in enumerate(best.items()):
        print(f"{name:30} {took:6.2f} s" + (f" {took - include:+6.2f} s" if number else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

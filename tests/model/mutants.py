#!/usr/bin/env python3
"""Shows that the model checker would notice: runs it on versions of the headers with one fault each.

usage: mutants.py generate MODEL                 print every weaker order of every atomic operation
       mutants.py check MODEL --model BINARY --registered 'A;B;C'
                                                 is mutants.txt complete, is every operation run, and
                                                 is every scenario a test?
       mutants.py write MODEL --to SOURCE        write the program with all patch mutants of a model
       mutants.py run MODEL --model BINARY --patched BINARY [--line LINE]
                                                 is each mutant killed of which mutants.txt says so?
                                                 --line: only that of this line of mutants.txt
       mutants.py survivors MODEL --model BINARY --patched BINARY
                                                 do those survive of which mutants.txt says so?
       mutants.py survey MODEL --model BINARY --patched BINARY
                                                 find a scenario for each mutant with the verdict "?"

mutants.txt has one mutant per line; its head explains the fields. An "order" mutant is the shipped
header with one memory order exchanged by the explorer at run time. A "patch" mutant is the headers and
the model with some text replaced, compiled into the program that `write` makes (mutant_source.py).
"""
import argparse
import functools
import pathlib
import re
import subprocess
import sys

import mutant_source

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
MUTANTS = HERE / "mutants.txt"
# The headers that hold a model's atomic operations.
HEADERS = {
    "deque": ["filch/detail/queue/chase_lev.hpp", "filch/detail/queue/counted_rings.hpp",
              "filch/detail/queue/ring.hpp"],
    "tags": [],  # those of the deque
    "branches": ["filch/detail/queue/split_stack.hpp",
                 "filch/detail/queue/split_stack_slow_path.hpp"],
    "sleep": ["filch/detail/sched/parker.hpp", "filch/detail/sched/latch.hpp",
              "filch/detail/sched/sleepers.hpp"],
    "injector": ["filch/detail/queue/injector.hpp"],
    "inbox": ["filch/detail/sched/inbox.hpp"],
    "tasks": ["filch/detail/sched/countdown.hpp", "filch/detail/sched/account.hpp",
              "filch/detail/sched/future_state.hpp"],
    "continuations": ["filch/detail/sched/followed_latch.hpp", "filch/detail/sched/gathering.hpp"],
    "cancel": ["filch/detail/sched/cancel_state.hpp"],
    "admission": ["filch/detail/sched/admission.hpp"],
    "claim": ["filch/detail/sched/claim.hpp"],
    "recording": ["filch/detail/observe/log_gate.hpp"],
}
MOST_SURVIVORS = 3

ORDER = re.compile(r"std::memory_order_(\w+)")
CALL = re.compile(r"(\w[\w.]*|\])\.(load|store|exchange|fetch_\w+|compare_exchange_\w+)\(")
WEAKER = {
    "load": {"seq_cst": ["acquire", "relaxed"], "acquire": ["relaxed"]},
    "store": {"seq_cst": ["release", "relaxed"], "release": ["relaxed"]},
    "rmw": {"seq_cst": ["acq_rel", "acquire", "release", "relaxed"],
            "acq_rel": ["acquire", "release", "relaxed"],
            "acquire": ["relaxed"], "release": ["relaxed"]},
}


def operations(path):
    """Yields (key, line, kind, orders) of every atomic operation in a header; the key is the text of
    the call, with a number if the header says the same more than once."""
    text = re.sub(r"//[^\n]*", lambda m: " " * len(m.group()), path.read_text())
    text = re.sub(r"#ifndef FILCH_MODEL\n.*?#endif", lambda m: re.sub(r"[^\n]", " ", m.group()), text,
                  flags=re.DOTALL)  # what the model does not have
    seen = {}
    for call in CALL.finditer(text):
        depth, end = 1, call.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        orders = ORDER.findall(text[call.end():end])
        if not orders:
            continue
        name = call.group(2)
        kind = name if name in ("load", "store") else "rmw"
        key = ORDER.sub(r"\1", " ".join(text[call.start():end].split()))
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            key += f" #{seen[key]}"
        yield key, text.count("\n", 0, call.start(2)) + 1, kind, orders


@functools.cache
def order_mutants(model):
    """(field 3, field 4, weakening) of every weaker order of every operation."""
    found = []
    for header in HEADERS[model]:
        name = pathlib.Path(header).name
        for key, line, kind, orders in operations(INCLUDE / header):
            for position, order in enumerate(orders):
                failure = position == 1
                for weaker in WEAKER["load" if failure else kind].get(order, []):
                    where = f"{name}: {key}"
                    change = ("on failure " if failure else "") + f"{order} -> {weaker}"
                    found.append((where, change, f"{name}:{line}{':failure' if failure else ''}:{weaker}"))
    return found


def lines():
    """The mutants of mutants.txt, as lists of fields, with their line numbers."""
    for number, line in enumerate(MUTANTS.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            fields = [f.strip() for f in line.split(" | ")]
            if len(fields) != 5:
                sys.exit(f"mutants.txt:{number}: 5 fields are needed, not {len(fields)}: {line}")
            yield number, fields


def check(model, binary, registered):
    listed = {(f[2], f[3]) for _, f in lines() if f[0] == model and f[1] == "order"}
    generated = {(where, change) for where, change, _ in order_mutants(model)}
    problems = [f"missing: {model} | order | {w} | {c} | ?" for w, c in sorted(generated - listed)]
    problems += [f"no such operation: {w} | {c}" for w, c in sorted(listed - generated)]
    survivors = [f for _, f in lines() if f[0] == model and not f[4].startswith("killed by ")]
    if len(survivors) > MOST_SURVIVORS:
        problems.append(f"{len(survivors)} survivors are too many: at most {MOST_SURVIVORS}")
    problems += [f"survives without an argument: {f[2]}" for f in survivors
                 if not re.match(r"survives: .{40,}", f[4])]
    names = subprocess.run([binary, "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout
    problems += [f"scenario {n} is no test" for n in sorted(set(names.split()) - registered)]
    problems += [f"test of a scenario that does not exist: {n}"
                 for n in sorted(registered - set(names.split()))]
    executed = set(subprocess.run([binary, "--random", "2000", "--sites"], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout.split("\n"))
    for header in HEADERS[model]:
        name = pathlib.Path(header).name
        problems += [f"no scenario executes {name}:{line}: {key}"
                     for key, line, _, _ in operations(INCLUDE / header)
                     if f"{name}:{line}" not in executed]
    for p in problems:
        print(p)
    kinds = [f[1] for _, f in lines() if f[0] == model]
    print(f"{kinds.count('order')} orders, {kinds.count('patch')} patches, {len(survivors)} survivors")
    return 1 if problems else 0


def killer(fields):
    """The scenario that kills a mutant, or None."""
    verdict = fields[4]
    return verdict.removeprefix("killed by ") if verdict.startswith("killed by ") else None


def write(model, path):
    patches = [(number, f[3], killer(f)) for number, f in lines() if f[0] == model and f[1] == "patch"]
    text = mutant_source.program(HERE / f"{model}_model.cpp", patches)
    if not path.exists() or path.read_text() != text:  # else there is nothing to compile
        path.write_text(text)
    return 0


def program_of(number, fields, binary, patched):
    """The command that runs a mutant, up to the choice of scenarios."""
    model, kind, where, change, _ = fields
    if kind == "order":
        weakening = [x for w, c, x in order_mutants(model) if (w, c) == (where, change)]
        if not weakening:
            sys.exit(f"mutants.txt:{number}: no such operation: {where} | {change}")
        return [binary, "--weaken", weakening[0]]
    if kind == "patch":
        return [patched, str(number)]
    sys.exit(f"mutants.txt:{number}: a mutant is an 'order' or a 'patch', not '{kind}'")


def verdict(what, command):
    """Runs a mutant, and prints what becomes of it: "killed", "survived" or neither."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE)
    said = {0: "survived", 1: "killed"}.get(done.returncode,
                                            f"exit code {done.returncode}: not a verdict")
    print(f"{what}\n{done.stdout[-3000:]}\n{said}")
    return said


def run(model, binary, patched, line):
    """Prints the results as GoogleTest does, so that ./test counts each mutant."""
    suite, survived = f"mutants_{model}", 0
    wanted = [(number, f) for number, f in lines() if f[0] == model and killer(f)]
    for number, fields in [(n, f) for n, f in wanted if line in (None, n)]:
        print(f"[ RUN      ] {suite}.{number}", flush=True)
        command = [*program_of(number, fields, binary, patched), "--run", killer(fields)]
        killed = verdict(f"{fields[2]} | {fields[3]}", command) == "killed"
        survived += not killed
        print(f"[{'       OK' if killed else '  FAILED '} ] {suite}.{number}", flush=True)
    return 1 if survived or not wanted else 0


def survivors(model, binary, patched):
    """Order mutants are tried all at once, which saves time: together they allow all that each of
    them allows. Only if that fails, they are tried one by one."""
    found = [(number, f) for number, f in lines() if f[0] == model and killer(f) is None]
    commands = {f"{f[2]} | {f[3]}": program_of(number, f, binary, patched) for number, f in found}
    orders = [command for command in commands.values() if command[0] == binary]
    if len(orders) > 1:
        together = [binary, *(word for command in orders for word in command[1:])]
        if verdict("all orders together", together) == "survived":
            commands = {what: c for what, c in commands.items() if c not in orders}
    verdicts = [verdict(what, command) for what, command in commands.items()]
    return 0 if all(v == "survived" for v in verdicts) else 1


def survey(model, binary, patched):
    names = subprocess.run([binary, "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout
    for number, fields in lines():
        if fields[0] != model or fields[4] != "?":
            continue
        command = program_of(number, fields, binary, patched)
        for scenario in names.split():
            if subprocess.run([*command, "--run", scenario],
                              stdout=subprocess.DEVNULL).returncode == 1:
                fields[4] = f"killed by {scenario}"
                break
        print(" | ".join(fields), flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command", choices=["generate", "check", "write", "run", "survivors", "survey"])
    parser.add_argument("what")
    parser.add_argument("--model")
    parser.add_argument("--patched", help="the program that `write` has written")
    parser.add_argument("--line", type=int, help="a line of mutants.txt")
    parser.add_argument("--to", type=pathlib.Path)
    parser.add_argument("--registered", default="", help="the scenarios that are tests, by ';'")
    args = parser.parse_args()
    if args.what not in HEADERS:
        parser.error(f"no model is called '{args.what}'; there is {', '.join(HEADERS)}")
    if args.command == "generate":
        for where, change, _ in order_mutants(args.what):
            print(f"{args.what} | order | {where} | {change} | ?")
        return 0
    if args.command == "check":
        return check(args.what, args.model, set(args.registered.split(";")))
    if args.command == "write":
        return write(args.what, args.to)
    if args.command == "run":
        return run(args.what, args.model, args.patched, args.line)
    if args.command == "survivors":
        return survivors(args.what, args.model, args.patched)
    return survey(args.what, args.model, args.patched)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Shows that the model checker would notice: runs it on versions of the headers with one fault each.

usage: mutants.py generate MODEL                 print every weaker order of every atomic operation
       mutants.py check MODEL --model BINARY --registered 'A;B;C'
                                                 is mutants.txt complete, is every operation run, and
                                                 is every scenario a test?
       mutants.py run LINE --model BINARY --compile 'COMMAND'
                                                 one mutant: does what mutants.txt says happen?
       mutants.py survey MODEL --model BINARY --compile 'COMMAND'
                                                 find a scenario for each mutant with the verdict "?"

mutants.txt has one mutant per line; its head explains the fields. An "order" mutant is the shipped
header with one memory order exchanged by the explorer at run time. A "patch" mutant is a copy of the
headers and of the model with some text replaced, compiled anew: COMMAND, with the folder of that copy
for {include}, the model for {source} and the program to make for {program}.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
MUTANTS = HERE / "mutants.txt"
# The headers that hold a model's atomic operations.
HEADERS = {
    "deque": ["filch/detail/queue/chase_lev.hpp", "filch/detail/queue/counted_rings.hpp",
              "filch/detail/queue/ring.hpp"],
    "branches": ["filch/detail/queue/split_stack.hpp"],
    "sleep": ["filch/detail/sched/parker.hpp", "filch/detail/sched/latch.hpp",
              "filch/detail/sched/sleepers.hpp"],
    "injector": ["filch/detail/queue/injector.hpp"],
    "tasks": ["filch/detail/sched/countdown.hpp", "filch/detail/sched/account.hpp",
              "filch/detail/sched/future_state.hpp"],
    "continuations": ["filch/detail/sched/followed_latch.hpp", "filch/detail/sched/gathering.hpp"],
    "cancel": ["filch/detail/sched/cancel_state.hpp"],
    "room": ["filch/detail/sched/room.hpp"],
    "claim": ["filch/detail/sched/claim.hpp"],
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


def order_mutants(model):
    """Yields (field 3, field 4, weakening) of every weaker order of every operation."""
    for header in HEADERS[model]:
        name = pathlib.Path(header).name
        for key, line, kind, orders in operations(INCLUDE / header):
            for position, order in enumerate(orders):
                failure = position == 1
                for weaker in WEAKER["load" if failure else kind].get(order, []):
                    where = f"{name}: {key}"
                    change = ("on failure " if failure else "") + f"{order} -> {weaker}"
                    yield where, change, f"{name}:{line}{':failure' if failure else ''}:{weaker}"


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


def patched(model, name, patches, compile_command, folder):
    """Compiles the model against headers in which each patch was applied."""
    include = folder / "include"
    shutil.copytree(INCLUDE, include)
    source = pathlib.Path(shutil.copy(HERE / f"{model}_model.cpp", folder))
    for patch in patches.split(" && "):
        file, _, change = patch.partition(": ")
        old, arrow, new = change.partition(" => ")
        found = [source] if file == source.name else list(include.rglob(file))
        if len(found) != 1 or not arrow:
            sys.exit(f"mutant '{name}': not 'FILE: OLD => NEW': {patch}")
        text = found[0].read_text()
        # White space is free, so that formatting the headers does not break the mutants.
        pattern = r"\s*".join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", old))
        text, count = re.subn(pattern, lambda _: new, text)
        if count == 0:
            sys.exit(f"mutant '{name}': the header does not say: {old}")
        found[0].write_text(text)
    program = folder / "mutant"
    command = compile_command.format(include=include, source=source, program=program)
    subprocess.run(shlex.split(command), check=True)
    return program


def program_of(number, fields, binary, compile_command, folder):
    """The command that runs a mutant, up to the choice of scenarios."""
    model, kind, where, change, _ = fields
    if kind == "order":
        weakening = [x for w, c, x in order_mutants(model) if (w, c) == (where, change)]
        if not weakening:
            sys.exit(f"mutants.txt:{number}: no such operation: {where} | {change}")
        return [binary, "--weaken", weakening[0]]
    if kind == "patch":
        return [patched(model, where, change, compile_command, pathlib.Path(folder))]
    sys.exit(f"mutants.txt:{number}: a mutant is an 'order' or a 'patch', not '{kind}'")


def run(number, binary, compile_command):
    fields = dict(lines()).get(number)
    if fields is None:
        sys.exit(f"mutants.txt:{number}: there is no mutant")
    verdict = fields[4]
    with tempfile.TemporaryDirectory() as folder:
        command = program_of(number, fields, binary, compile_command, folder)
        if verdict.startswith("killed by "):
            command += ["--run", verdict.removeprefix("killed by ")]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE)
    print(f"{fields[2]} | {fields[3]}\n{done.stdout[-3000:]}")
    if done.returncode == 1:
        print("killed")
        return 0 if verdict.startswith("killed by ") else 1
    print("survived" if done.returncode == 0 else f"exit code {done.returncode}: not a verdict")
    return 0 if done.returncode == 0 and verdict.startswith("survives: ") else 1


def survey(model, binary, compile_command):
    names = subprocess.run([binary, "--list"], check=True, text=True, stdout=subprocess.PIPE).stdout
    for number, fields in lines():
        if fields[0] != model or fields[4] != "?":
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = program_of(number, fields, binary, compile_command, folder)
            for scenario in names.split():
                if subprocess.run([*command, "--run", scenario],
                                  stdout=subprocess.DEVNULL).returncode == 1:
                    fields[4] = f"killed by {scenario}"
                    break
        print(" | ".join(fields), flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command", choices=["generate", "check", "run", "survey"])
    parser.add_argument("what")
    parser.add_argument("--model")
    parser.add_argument("--compile", default="")
    parser.add_argument("--registered", default="", help="the scenarios that are tests, by ';'")
    args = parser.parse_args()
    if args.command == "run":
        return run(int(args.what), args.model, args.compile)
    if args.what not in HEADERS:
        parser.error(f"no model is called '{args.what}'; there is {', '.join(HEADERS)}")
    if args.command == "generate":
        for where, change, _ in order_mutants(args.what):
            print(f"{args.what} | order | {where} | {change} | ?")
        return 0
    if args.command == "check":
        return check(args.what, args.model, set(args.registered.split(";")))
    return survey(args.what, args.model, args.compile)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks that every header compiles alone, and twice in one file, without a warning, and that every
source of the library compiles alone: tests compile several as one.

usage: check_headers.py [--root ROOT] [--all] [FILE]...

Without FILEs it checks the public headers and the sources; with --all the headers in detail/, too.

clang++ compiles each file alone. One compiler is enough: both read the same standard library, and
both build the tests, which include every header. g++ compiles all headers as one file, because only
g++ warns of useless casts. FILCH_CHECKS is 1: a header then needs more includes, not fewer.
A header that a source includes first is compiled together with that source: there nothing comes
before it either.

Reading what a header includes takes most of the time. So a few sets of headers are precompiled. A
header is compiled with the largest set of which it includes everything, directly or not: it would read
that first anyway.
"""
import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import sources

FLAGS = ["-std=c++20", "-DFILCH_CHECKS=1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
         "-Wshadow", "-Werror"]
INCLUDE = re.compile(r'^#include ((?:<.*>)|"(.*)")', re.MULTILINE)
SETS = 32  # with more, precompiling takes longer than it saves
STANDARD = 8  # a header of the standard library takes as long to read as so many of filch


@functools.cache
def included(header, folder):
    """What `header` includes, directly or through headers of filch, as written behind #include."""
    found = set()
    for name, own in INCLUDE.findall(header.read_text(encoding="utf-8")):
        found.add(name)
        if own and (folder / own).is_file():
            found |= included(folder / own, folder)
    return frozenset(found)


def weight(names):
    """About how long it takes to read the headers `names`."""
    return sum(STANDARD if name.startswith("<") else 1 for name in names)


def largest_part(names, sets):
    """The largest of `sets` that is a part of `names`; empty if none is."""
    return max((s for s in sets if s <= names), key=weight, default=frozenset())


def sets_to_precompile(needed):
    """The sets that save most for headers that include `needed`. Each is chosen beside those before."""
    chosen = []
    for _ in range(SETS):
        saved = {names: weight(largest_part(names, chosen)) for names in set(needed)}
        gains = {s: sum(max(0, weight(s) - saved[names]) for names in needed if s <= names) - weight(s)
                 for s in set(needed)}
        best = max(sorted(gains, key=sorted), key=gains.get)
        if gains[best] <= 0:
            break
        chosen.append(best)
    return chosen


def compile_text(compiler, text, root, *flags, how=("-fsyntax-only", "-x", "c++")):
    """Compiles `text`, which includes headers of filch. Returns what subprocess.run() does."""
    command = [compiler, *FLAGS, f"-I{root / 'include'}", *flags, *how, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def precompile(names, root, folder, number):
    """The headers `names`, precompiled to a file in `folder`. None if clang++ has complaints about
    them: it has the same about one of them alone."""
    path = pathlib.Path(folder) / f"set_{number}.pch"
    lines = "".join(f"#include {name}\n" for name in sorted(names))
    done = compile_text("clang++", lines, root,
                        how=("-fpch-instantiate-templates", "-x", "c++-header", "-o", path))
    return path if done.returncode == 0 else None


def include_of(path, root):
    """An #include of a header, or of a source, which is in no folder that compilers look into."""
    return f'#include "{path.relative_to(root / "include") if path.suffix == ".hpp" else path}"\n'


def own_header(path, root):
    """The header of filch that the source `path` includes first; None if there is none."""
    first = INCLUDE.search(path.read_text(encoding="utf-8")) if path.suffix == ".cpp" else None
    header = root / "include" / first[2] if first and first[2] else None
    return header if header and header.is_file() else None


def compile_alone(path, root, precompiled=None):
    """The compiler's messages about the file `path`; empty if there are none. A header is read twice;
    one that a source includes first is read before that source."""
    before = path if path.suffix == ".hpp" else own_header(path, root)
    text = (include_of(before, root) if before else "") + include_of(path, root)
    first = ["-include-pch", precompiled] if precompiled else []
    done = compile_text("clang++", text, root, *first)
    if done.returncode == 0:
        return ""
    return f"{path.relative_to(root)} does not compile alone:\n{done.stderr}"


def compile_together(headers, root):
    """The messages of g++ about `headers` as one file; empty if there are none."""
    lines = "".join(include_of(header, root) for header in headers)
    return compile_text("g++", lines, root, "-Wuseless-cast").stderr


def check(files, root):
    needs = {path: included(path, root / "include") for path in files}
    sets = sets_to_precompile(list(needs.values()))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        ready = dict(zip(sets, workers.map(
            lambda numbered: precompile(numbered[1], root, folder, numbered[0]), enumerate(sets))))
        with_source = {own_header(path, root) for path in files}
        jobs = [workers.submit(compile_alone, path, root, ready.get(largest_part(names, sets)))
                for path, names in needs.items() if path not in with_source]
        headers = [path for path in files if path.suffix == ".hpp"]
        # What does not compile alone would only be said again.
        return [job.result() for job in jobs if job.result()] or \
            list(filter(None, [compile_together(headers, root)]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=sources.ROOT)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.root.resolve()
    wanted = [path.resolve() for path in arguments.files] or \
        [path for path in sources.cpp_files("include", "src", root=folder)
         if arguments.all or "detail" not in path.relative_to(folder).parts]
    if not wanted:
        sys.exit(f"check_headers.py: no header below {folder / 'include'}")
    found = check(wanted, folder)
    print("\n".join(found) if found else f"{len(wanted)} files compile alone")
    sys.exit(1 if found else 0)

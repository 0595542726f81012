#!/usr/bin/env python3
"""Checks that every header compiles alone, and twice in one file, without a warning.

usage: check_headers.py [--root ROOT] [HEADER]...

One compiler is enough: g++ and clang++ read the same standard library, and both build the tests, which
include every header. FILCH_CHECKS is 1, because a header then needs more includes, not fewer.

The standard library takes most of the time. Headers that include the same parts of it, directly or
not, get those parts precompiled: they would read them first anyway.
"""
import argparse
import collections
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
         "-Wshadow", "-Wuseless-cast", "-Werror"]
INCLUDE = re.compile(r'^#include (?:<(.*)>|"(.*)")', re.MULTILINE)
WORTH_IT = 5  # with fewer headers that need the same, precompiling takes longer than it saves


@functools.cache
def foreign_includes(header, folder):
    """The headers of other libraries that `header` includes, directly or through headers of filch."""
    found = set()
    for foreign, own in INCLUDE.findall(header.read_text(encoding="utf-8")):
        if foreign:
            found.add(foreign)
        elif (folder / own).is_file():
            found |= foreign_includes(folder / own, folder)
    return frozenset(found)


def precompile(includes, folder, number):
    """A header with `includes` in `folder`, for g++ -include."""
    path = pathlib.Path(folder) / f"foreign_{number}.hpp"
    path.write_text("".join(f"#include <{name}>\n" for name in sorted(includes)), encoding="utf-8")
    subprocess.run(["g++", *FLAGS, "-x", "c++-header", path, "-o", f"{path}.gch"], check=True)
    return path


def compile_alone(header, root, precompiled=None):
    """The compiler's messages about `header`; empty if there are none."""
    line = f'#include "{header.relative_to(root / "include")}"\n'
    first = ["-include", precompiled] if precompiled else []
    command = ["g++", *FLAGS, f"-I{root / 'include'}", "-fsyntax-only", *first, "-x", "c++", "-"]
    done = subprocess.run(command, input=line * 2, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"{header.relative_to(root)} does not compile alone:\n{done.stderr}"


def check(headers, root):
    alike = collections.defaultdict(list)
    for header in headers:
        alike[foreign_includes(header, root / "include")].append(header)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        ready = {includes: workers.submit(precompile, includes, folder, number)
                 for number, (includes, group) in enumerate(alike.items()) if len(group) >= WORTH_IT}
        jobs = [workers.submit(compile_alone, header, root, ready[i].result() if i in ready else None)
                for i, group in sorted(alike.items(), key=lambda item: item[0] in ready)
                for header in group]
        return [job.result() for job in jobs if job.result()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=sources.ROOT)
    parser.add_argument("headers", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.root.resolve()
    wanted = [h.resolve() for h in arguments.headers] or \
        [h for h in sources.cpp_files("include", root=folder) if h.suffix == ".hpp"]
    if not wanted:
        sys.exit(f"check_headers.py: no header below {folder / 'include'}")
    found = check(wanted, folder)
    print("\n".join(found) if found else f"{len(wanted)} headers compile alone")
    sys.exit(1 if found else 0)

#!/usr/bin/env python3
"""Every header compiles alone, and twice in one file, without a warning.

usage: check_headers.py [--root ROOT] [HEADER]...

One compiler is enough for that: g++ and clang++ read the same standard library, and the tests, which
both of them build, include every header. FILCH_CHECKS=1, since then a header needs more, not less.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

import sources

FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
         "-Werror", "-x", "c++", "-"]


def compile_alone(header, root):
    """What the compiler has to say about `header`: nothing, if all is well."""
    line = f'#include "{header.relative_to(root / "include")}"\n'
    command = ["g++", "-DFILCH_CHECKS=1", f"-I{root / 'include'}", *FLAGS]
    done = subprocess.run(command, input=line * 2, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"{header.relative_to(root)} does not compile alone:\n{done.stderr}"


def check(headers, root):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        jobs = [workers.submit(compile_alone, header, root) for header in headers]
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

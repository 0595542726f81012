#!/usr/bin/env python3
"""Every header compiles alone, and twice in one file, without a warning.

usage: check_headers.py [--root ROOT] [HEADER]...

g++ sees the headers with FILCH_CHECKS=1, clang++ with 0, so that both halves of a check compile.
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
COMPILERS = {"g++": "-DFILCH_CHECKS=1", "clang++": "-DFILCH_CHECKS=0"}


def compile_alone(compiler, header, root):
    """What the compiler has to say about `header`: nothing, if all is well."""
    line = f'#include "{header.relative_to(root / "include")}"\n'
    command = [compiler, COMPILERS[compiler], f"-I{root / 'include'}", *FLAGS]
    done = subprocess.run(command, input=line * 2, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"{header.relative_to(root)} does not compile alone with {compiler}:\n{done.stderr}"


def check(headers, root):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        jobs = [workers.submit(compile_alone, c, h, root) for h in headers for c in COMPILERS]
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

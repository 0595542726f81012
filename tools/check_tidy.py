#!/usr/bin/env python3
"""Checks that clang-tidy has no complaints about src, the headers, examples and bench/chains.

usage: check_tidy.py [--bench | FILE...]

With --bench it checks the other programs in bench. They instantiate the same templates as the examples
and chains do, and nothing of them is installed.
The flags are given here, so that no build is needed first. The standard library takes most of the time,
once per file. So several files are checked as one, and one by one only if there are complaints. The
tests and the command are left out: they cannot be joined, and take too long one by one. Files of cli
can be named.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import sources

FOLDERS = ("include", "bench/versus", "cli", "tests")
FLAGS = ["-std=c++20", *(f"-I{sources.ROOT / folder}" for folder in FOLDERS),
         "-DFILCH_CHECKS=1", "-pthread"]
FOREIGN = {"onetbb.cpp", "std_par.cpp"}  # they include libraries that may be missing
INCLUDE = re.compile(r'^#include (?:<.*>|"(.*)")$', re.MULTILINE)


def tidy(path, like=None):
    """clang-tidy's complaints about one file; empty if there are none. `like`: a file with its rules."""
    command = ["clang-tidy", "--quiet", "--warnings-as-errors=*",
               f"--header-filter={sources.ROOT}/(include|src|examples|bench|cli)/.*"]
    # clang-tidy looks for its configuration next to the file, which fails outside the project.
    if sources.ROOT not in path.resolve().parents:
        command.append(f"--config-file={sources.ROOT / '.clang-tidy'}")
        less = ["-bugprone-suspicious-include"]  # an include of a .cpp file: a group consists of those
        if like and (own := like.parent / ".clang-tidy").exists():
            less.append(re.search(r"^Checks: (.*)$", own.read_text(), re.MULTILINE)[1])
        command.append(f"--checks={','.join(less)}")
    done = subprocess.run([*command, str(path), "--", *FLAGS], capture_output=True, text=True,
                          check=False)
    return done.stdout + done.stderr if done.returncode else ""


def in_full(include, path):
    """An #include of `path` that works in any folder."""
    beside = path.parent / (include[1] or "")
    return f'#include "{beside}"' if beside.is_file() else include[0]


def joined(files, programs):
    """Makes one file that includes `files`. Every program has a main(), so each gets a namespace."""
    if not programs:
        return "".join(f'#include "{path}"\n' for path in files)
    includes = {in_full(include, path): None for path in files
                for include in INCLUDE.finditer(path.read_text(encoding="utf-8"))}
    return "\n".join(includes) + "\n" + "".join(
        f'namespace program_{i} {{\n#include "{path}"\n}}\n' for i, path in enumerate(files))


def is_foreign(path):
    """True if it needs a header that may be missing. clang has omp.h only with libomp-dev."""
    return path.name in FOREIGN or "#include <omp.h>" in path.read_text(encoding="utf-8")


def groups(bench):
    """Groups of files that are checked as one, as (name, files). What takes longest comes first: the
    programs, because the templates of filch that they instantiate are checked with them."""
    cpp = {folder: [p for p in sources.cpp_files(folder)
                    if p.suffix == ".cpp" and not is_foreign(p)]
           for folder in ("src", "examples", "bench")}
    chains = [p for p in cpp["bench"] if p.parent.name == "chains"]  # one program of several files
    if bench:
        others = [p for p in cpp["bench"] if p not in chains]
        return [("programs_0", others[::2]), ("programs_1", others[1::2])]
    return [("programs", cpp["examples"]), ("chains", chains), ("src", cpp["src"]),
            ("headers", [h for h in sources.cpp_files("include") if h.suffix == ".hpp"])]


def tidy_group(name, files, folder):
    """clang-tidy's complaints about `files`: checked together and, if there are any, one by one."""
    together = pathlib.Path(folder) / f"{name}.cpp"
    together.write_text(joined(files, programs=name.startswith("programs")), encoding="utf-8")
    said = tidy(together, like=files[0])
    if not said or name == "headers":
        return said
    return "\n".join(filter(None, map(tidy, files)))


def main(words):
    bench = words == ["--bench"]
    files = [] if bench else [pathlib.Path(name) for name in words]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        jobs = [workers.submit(tidy, path) for path in files] or \
            [workers.submit(tidy_group, name, group, folder) for name, group in groups(bench)]
        found = [job.result() for job in jobs if job.result()]
    print(*found, sep="\n", end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

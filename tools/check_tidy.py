#!/usr/bin/env python3
"""Runs run-clang-tidy over src, cli and the headers.

usage: check_tidy.py [--programs | FILE...]

With --programs it checks the examples and bench. They instantiate templates of the headers again, which
takes most of the time. clang-tidy checks a template of a header without an instantiation, too. And it
runs the check SLOW of the command, which takes half of its time.
The standard library takes most of the time, once per file. So the files of a folder are checked as
one: for each group there is a file that includes them, a configuration, and an entry in a
compile_commands.json, in a folder that is removed afterwards. No build is needed first. The tests are
left out: they take too long.
"""
import json
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
SLOW = "performance-unnecessary-value-param"
CLI_WITHOUT_SLOW = "cli_without_slow"
# bugprone-suspicious-include: a group consists of includes of .cpp files.
COMMON = "InheritParentConfig: false\n" + (sources.ROOT / ".clang-tidy").read_text(encoding="utf-8")


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


def groups(programs):
    """Groups of files that are checked as one, as (name, files): as few as there are cores."""
    cpp = {folder: [p for p in sources.cpp_files(folder)
                    if p.suffix == ".cpp" and not is_foreign(p)]
           for folder in ("src", "examples", "bench", "cli")}
    chains = [p for p in cpp["bench"] if p.parent.name == "chains"]  # one program of several files
    if programs:
        others = [p for p in cpp["bench"] if p not in chains]
        return [("programs_examples", cpp["examples"]), ("chains", chains), ("cli", cpp["cli"]),
                ("programs_0", others[::2]), ("programs_1", others[1::2])]
    headers = [h for h in sources.cpp_files("include") if h.suffix == ".hpp"]
    return [(CLI_WITHOUT_SLOW, cpp["cli"]), ("library", headers + cpp["src"])]


def write_group(folder, name, files):
    """Writes the file of a group and its configuration; returns its entry in the database."""
    own_folder = pathlib.Path(folder) / name
    own_folder.mkdir()
    together = own_folder / f"{name}.cpp"
    together.write_text(joined(files, programs=name.startswith("programs")), encoding="utf-8")
    less = ["-bugprone-suspicious-include"]
    if name == CLI_WITHOUT_SLOW:
        less.append(f"-{SLOW}")
    if (own := files[0].parent / ".clang-tidy").exists() and own.parent != sources.ROOT:
        less.append(re.search(r"^Checks: (.*)$", own.read_text(encoding="utf-8"), re.MULTILINE)[1])
    checks = COMMON.rstrip() + ",\n  " + ",".join(less)
    (own_folder / ".clang-tidy").write_text(checks + "\n", encoding="utf-8")
    return {"directory": str(own_folder), "file": str(together),
            "arguments": ["clang++", *FLAGS, "-c", str(together)]}


def tidy(named):
    """Checks groups of files, as (name, files). Returns what clang-tidy complains about."""
    with tempfile.TemporaryDirectory() as folder:
        database = [write_group(folder, name, files) for name, files in named if files]
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(database))
        done = subprocess.run(
            ["run-clang-tidy", "-quiet", "-p", folder, "-j", str(len(os.sched_getaffinity(0))),
             f"-header-filter={sources.ROOT}/(include|src|examples|bench|cli|tests)/.*"],
            capture_output=True, text=True, check=False)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)  # it always prints colours
    said = [line for line in plain.splitlines() if not line.startswith("clang-tidy")]
    complained = any(re.search(r": (warning|error): ", line) for line in said)
    return "\n".join(said) + done.stderr if complained or done.returncode else ""


def main(words):
    programs = words == ["--programs"]
    files = [] if programs else [pathlib.Path(name).resolve() for name in words]
    said = tidy([(f"file_{i}", [path]) for i, path in enumerate(files)] or groups(programs))
    print(said, end="")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

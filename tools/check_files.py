#!/usr/bin/env python3
"""Checks files for forbidden contents, that all version numbers agree, and that all sources are built.

usage: check_files.py [ROOT]
"""
import pathlib
import re
import sys

import sources

MAX_LINES = 600
EXCUSE = "Long because"  # in one of the first ten lines of a file that is longer

# Written in pieces, so that this file passes its own check.
FORBIDDEN = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b"),
     "unfinished business: finish it, or open an issue"),
    (re.compile("\x1b"), "an escape code, as a raw byte"),
    (re.compile(r"(?<![\w.}])/(work|root|home)/"), "a path of one machine"),
    (re.compile(r"[ \t]+$", re.MULTILINE), "white space at the end of the line"),
    (re.compile(r"^(<<<<<<<|>>>>>>>) ", re.MULTILINE), "a merge conflict"),
]
# In the code that users get: a program with raised rights must not obey its environment.
GETENV = re.compile(r"\bgetenv\(")
NO_FINAL_NEWLINE = re.compile(r"[^\n]\Z")


def check_text(name, text):
    """The problems of one file, given its name and contents."""
    problems = []
    for pattern, what in FORBIDDEN:
        for match in pattern.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            problems.append(f"{name}:{number}: {what}: {match[0]!r}")
    if pathlib.Path(name).parts[0] in ("include", "src", "cli") and GETENV.search(text):
        problems.append(f"{name}: getenv; detail::environment_variable reads the environment")
    lines = text.splitlines()
    if len(lines) > MAX_LINES and not any(EXCUSE in line for line in lines[:10]):
        problems.append(f"{name}: {len(lines)} lines, more than {MAX_LINES}; split it, or say "
                        f"\"{EXCUSE} ...\" in its first lines")
    if NO_FINAL_NEWLINE.search(text):
        problems.append(f"{name}: the last line has no end")
    return problems


def check_versions(cmake, header, changelog):
    """Compares the versions in CMakeLists.txt, version.hpp (twice) and CHANGELOG.md."""
    def find(pattern, text, place):
        match = re.search(pattern, text, re.MULTILINE)
        if not match:
            problems.append(f"{place}: no version found (looked for {pattern})")
        return match[1] if match else None

    problems = []
    version = find(r"^\s*VERSION (\d+\.\d+\.\d+)$", cmake, "CMakeLists.txt")
    text = find(r'header_version = "([^"]+)"', header, "version.hpp")
    number = find(r"^#define FILCH_VERSION (\d+)$", header, "version.hpp")
    latest = find(r"^## \[?(Unreleased|\d+\.\d+\.\d+)\b", changelog, "CHANGELOG.md")
    if problems:
        return problems
    major, minor, patch = map(int, version.split("."))
    expected = {"header_version in version.hpp": (text, version),
                "FILCH_VERSION in version.hpp": (int(number), major * 10000 + minor * 100 + patch)}
    if latest != "Unreleased":
        expected["the first section of CHANGELOG.md"] = (latest, version)
    return [f"{place} is {said}, but CMakeLists.txt says {version}"
            for place, (said, wanted) in expected.items() if said != wanted]


def check_listed(sources_found, cmake):
    """Finds sources that CMakeLists.txt does not name: they would be neither built nor tested."""
    return [f"{name}: not in CMakeLists.txt, so it is not built"
            for name in map(str, sources_found) if not re.search(rf"\b{re.escape(name)}\b", cmake)]


def check(root):
    problems = []
    for path in sources.project_files(root):
        name = path.relative_to(root)
        if name.parts[:2] == ("docs", "images") and path.suffix in (".png", ".svg"):
            continue
        try:
            problems += check_text(name, path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            problems.append(f"{name}: not UTF-8 text")
    cmake, header, changelog = (
        (root / name).read_text(encoding="utf-8")
        for name in ("CMakeLists.txt", "include/filch/version.hpp", "CHANGELOG.md"))
    compiled = [path.relative_to(root) for path in sources.cpp_files("src", root=root)]
    return problems + check_versions(cmake, header, changelog) + check_listed(compiled, cmake)


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve() if sys.argv[1:] else sources.ROOT)
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)

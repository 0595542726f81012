#!/usr/bin/env python3
"""Checks that function templates which the library instantiates for programs have no constraints.

usage: check_symbols.py [ROOT]

clang 17, g++ 14 and their successors spell the constraints of a function template out in its symbols;
older compilers do not. So a program of one compiler would not link to a library of another one. Such a
function is found by its explicit instantiation: `extern template` in a header, `template` in a source.
All declarations of that name below include and src must do without a `requires` and without a concept
in the place of `class`.
"""
import pathlib
import re
import sys

import sources

INSTANCE = re.compile(r"^(?:extern\s+)?template\s+(?!<)([^;{]*);", re.MULTILINE)
PLAIN = re.compile(r"\s*(?:(?:class|typename|template)\b(?:\s*\.\.\.)?|(?:bool|char|int|unsigned|std::size_t)\b)")


def instantiated(root):
    """The function templates that are instantiated explicitly: name -> where."""
    found = {}
    for path in sources.cpp_files("include/filch", "src", root=root):
        code, _ = sources.split(path.read_text(encoding="utf-8"))
        for match in INSTANCE.finditer(code):
            where = f"{path.relative_to(root)}:{code.count(chr(10), 0, match.start()) + 1}"
            name = re.search(r"(\w+)\s*(?:<[^()]*>)?\s*\(", match[1])
            found[name[1] if name else None] = where
    return found


def parameters(head):
    """The parameters of a template head, without those of template parameters."""
    while "<" in head:
        head, before = re.sub(r"<[^<>]*>", "", head), head
        if head == before:
            break
    return head.split(",")


def problems(root):
    instances = instantiated(root)
    if None in instances:
        yield f"{instances.pop(None)}: a class is instantiated; this checker knows functions only"
    for path in sources.cpp_files("include/filch", "src", root=root):
        code, _ = sources.split(path.read_text(encoding="utf-8"))
        for name, instance in instances.items():
            declared = re.compile(r"^template\s*<((?:[^<>;{}]|<[^<>;{}]*>)*)>([^;{}()]*)\b" + name +
                                  r"\s*\(([^;{]*)", re.MULTILINE)
            for match in declared.finditer(code):
                head, between, behind = match.groups()
                if ("requires" in re.findall(r"\w+", between + behind) or
                        not all(PLAIN.match(p) for p in parameters(head))):
                    number = code.count("\n", 0, match.start()) + 1
                    yield f"{path.relative_to(root)}:{number}: `{name}` has a constraint, but is instantiated " \
                          f"in {instance}: newer compilers put the constraint into its symbol"


if __name__ == "__main__":
    complaints = list(problems(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else sources.ROOT))
    print(*complaints, sep="\n", end="\n" if complaints else "")
    sys.exit(1 if complaints else 0)

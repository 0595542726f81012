#!/usr/bin/env python3
"""Checks that the protocol of chains is whole in one header, include/filch/detail/chain/protocol.hpp.

usage: check_protocol.py [ROOT]

A part of a chain (a source, a folder, a consumer, a stage) may have optional members. The first comment
of namespace plumbing has a table of them, with their defaults and access points. This refuses
- a requires-expression elsewhere in detail/chain, or in ranges, that asks for a member of the table, asks
  anything of a part, or calls a function that is found by its arguments: code uses the access point in
  namespace plumbing;
- a requires-expression in protocol.hpp that asks for a member which neither the table nor a concept's
  comment has;
- an access point of the table that protocol.hpp does not declare.
"""
import pathlib
import re
import sys

import sources

HEADER = "include/filch/detail/chain/protocol.hpp"
FOLDERS = ("include/filch/detail/chain", "include/filch/ranges")
# The names that template parameters and variables for parts of a chain have.
PARTS = {"Source", "Sources", "Base", "Folder", "FolderA", "FolderB", "Next", "Consumer", "Stage", "Way",
         "source", "base", "base_", "folder", "next", "next_", "consumer", "consumer_", "stage", "stage_"}
# Its parameters, if there are any, end with a name, unlike the condition of a requires-clause.
REQUIRES = re.compile(r"\brequires\s*(?:\([^()!=|]*(?:[&*\s]\w+|\(&\w+\)\([^()]*\))\s*\)\s*)?\{")
ROW = re.compile(r"^///   (\w[^ ]*(?:(?<=,) [^ ]+)*)  +.*?(?:  +([\w ,]+))?$", re.MULTILINE)
MEMBER = re.compile(r"(?:\.|\b[A-Z]\w*::)\s*(?:template\s+)?(\w+)")

CALL = re.compile(r"(?<![.:>\w])(?<!template )([a-z_]\w*)\s*(?=\()")  # without its namespace: found where the arguments are from
LANGUAGE = {"requires", "decltype", "sizeof", "noexcept", "operator"}


def expressions(code):
    """The requires-expressions of `code`, each with the position where it begins."""
    for match in REQUIRES.finditer(code):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        yield match.start(), code[match.start():end]


def table(text):
    """The optional members, and the access points, of the table in protocol.hpp."""
    members, points = set(), set()
    comment = text[text.index("///   of a source"):text.index("namespace filch::plumbing {")]
    for words, last in ROW.findall(comment):
        if words.startswith("of"):
            continue
        members.update(re.findall(r"\b[a-z_]+(?=\b)", re.sub(r"[(<].*?[)>]", "", words)))
        points.update(re.findall(r"\w+", last.split("  ")[-1]) if last else ())
    return members, points


def required(text):
    """The members that the comments of concepts name: "///   size()   returns ..."."""
    return set(re.findall(r"^///   (\w+)", text, re.MULTILINE))


def problems(root):
    header = root / HEADER
    text = header.read_text(encoding="utf-8")
    members, points = table(text)
    code, _ = sources.split(text)
    for point in sorted(points):
        if not re.search(rf"\b{point}\b", code):
            yield f"{HEADER}: the access point `{point}` of the table is not declared"
    for start, asked in expressions(code):
        number = code.count("\n", 0, start) + 1
        for name in MEMBER.findall(asked):
            if name not in members | required(text):
                yield f"{HEADER}:{number}: `{name}` is asked for, but is not in the table of optional members"
    for path in sources.cpp_files(*FOLDERS, root=root):
        if path == header:
            continue
        code, _ = sources.split(path.read_text(encoding="utf-8"))
        for start, asked in expressions(code):
            where = f"{path.relative_to(root)}:{code.count(chr(10), 0, start) + 1}"
            names = set(re.findall(r"(?<!::)\b\w+", asked))
            asked_for = {n for n in MEMBER.findall(asked) if n in members - {"at", "iterator"}}
            hooks = set(CALL.findall(asked)) - LANGUAGE
            if hooks:
                yield f"{where}: asks for a function `{sorted(hooks)[0]}` that a user may have by `requires`; add it " \
                      f"to the table in {HEADER}, with an access point"
            elif asked_for:
                yield f"{where}: asks for `{sorted(asked_for)[0]}` by `requires`; use its access point in {HEADER}"
            elif names & PARTS:
                yield f"{where}: asks a part of a chain (`{sorted(names & PARTS)[0]}`) by `requires`; add the " \
                      f"member to the table in {HEADER}, with an access point"


if __name__ == "__main__":
    found = list(problems(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else sources.ROOT))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)

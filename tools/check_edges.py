#!/usr/bin/env python3
"""Every atomic operation weaker than seq_cst says which edge it is an end of, or why it needs none.

usage: check_edges.py [FILE | FOLDER]...      (default: include src)

The word stands in a comment on the line of the memory order, or on any line of a call that spans
several: an edge tag such as [publish], or one of the reasons below. An edge has two ends, so a tag
that occurs only once, over all files, has lost its other end.
"""
import collections
import pathlib
import re
import sys

import sources

ORDER = re.compile(r"\bmemory_order(?:_|\s*::\s*)(?:relaxed|consume|acquire|release|acq_rel)\b")
# Not after a word, else "taken[i]" in a comment would be a tag.
TAG = re.compile(r"(?<![\w\])])\[([a-z][a-z0-9-]*)\](?![\[(])")
REASONS = ("own value", "value unused", "orders nothing", "ordered by", "no other thread")


def call_around(code, position):
    """Where the innermost call around `position` begins and ends."""
    depth, start = 0, position
    while start > 0 and code[start] not in ";{}":
        depth += (code[start] == ")") - (code[start] == "(")
        if depth < 0:
            break
        start -= 1
    if depth >= 0:
        return position, position  # not in a call
    depth, end = 0, start
    while end < len(code):
        depth += (code[end] == "(") - (code[end] == ")")
        if depth == 0:
            break
        end += 1
    return start, end


def line_of(text, position):
    return text.count("\n", 0, position)


def check_file(path, text, ends):
    """The problems of one file; adds the tags it finds to `ends` (tag -> places)."""
    code, comments = sources.split(text)
    code_lines, comment_lines = code.split("\n"), comments.split("\n")
    for number, comment in enumerate(comment_lines, 1):
        if code_lines[number - 1].strip():  # a tag on a line of its own describes, it is no end
            for tag in TAG.findall(comment):
                ends[tag].append(f"{path}:{number}")

    problems = {}
    for order in ORDER.finditer(code):
        start, end = call_around(code, order.start())
        first, last = line_of(code, min(start, order.start())), line_of(code, max(end, order.end()))
        said = " ".join(comment_lines[first:last + 1])
        if not TAG.search(said) and not any(reason in said.lower() for reason in REASONS):
            number = line_of(code, order.start())
            problems[number] = (f"{path}:{number + 1}: which edge? `{code_lines[number].strip()}`: "
                                f"add // [tag], or one of: {', '.join(REASONS)}")
    return list(problems.values())


def check(paths):
    ends, problems = collections.defaultdict(list), []
    for path in paths:
        problems += check_file(path, path.read_text(encoding="utf-8"), ends)
    for tag, places in ends.items():
        if len(places) == 1:
            problems.append(f"{places[0]}: [{tag}] has one end only: where is the other?")
    return problems


def files_in(arguments):
    for argument in map(pathlib.Path, arguments):
        if argument.is_dir():
            yield from sorted(p for p in argument.rglob("*") if p.suffix in sources.CPP)
        elif argument.is_file():
            yield argument
        else:
            sys.exit(f"check_edges.py: no such file or folder: {argument}")


if __name__ == "__main__":
    wanted = sys.argv[1:] or [sources.ROOT / "include", sources.ROOT / "src"]
    found = check(list(files_in(wanted)))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)

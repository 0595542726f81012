#!/usr/bin/env python3
"""Checks that code in docs/guide and docs/design/ranges.md is in examples/, which are compiled and run.

usage: check_guide.py [ROOT]

It checks blocks of C++ and, in tables, the code in columns headed "example". White space does not
count. The first column of a table has names: every adaptor for pipes (FILCH_ADAPTOR_VIEW and
FILCH_COUNT_VIEW in the headers) must be in such a column.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
ADAPTORS = re.compile(r"^FILCH_EACH_NAME\(FILCH_(?:ADAPTOR|COUNT)_VIEW, , ([\w,\s]+)\);", re.MULTILINE)


def squeezed(text):
    return re.sub(r"\s+", "", text)


def tables(text):
    """The rows of all tables, each as {heading: cell}."""
    headings = None
    for line in text.splitlines():
        if not line.startswith("|"):
            headings = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if headings is None:
            headings = cells
        elif not set(line) <= set("|- :"):
            yield dict(zip(headings, cells))


def quoted(text):
    """All code of a page that must be in an example."""
    return BLOCK.findall(text) + [code for row in tables(text)
                                  for code in CODE.findall(row.get("example", ""))]


def first_cells(text):
    return {word for row in tables(text) for word in re.findall(r"\w+", next(iter(row.values())))}


def check(root):
    examples = [squeezed(path.read_text(encoding="utf-8"))
                for path in sorted((root / "examples").glob("*.cpp"))]
    problems, known = [], set()
    for page in sorted([*(root / "docs/guide").glob("*.md"), *(root / "docs/design").glob("ranges.md")]):
        text = page.read_text(encoding="utf-8")
        known |= first_cells(text)
        problems += [f"{page.relative_to(root)}: in no example:\n  {code.strip()}"
                     for code in quoted(text)
                     if not any(squeezed(code) in example for example in examples)]
    views = root / "include/filch/ranges/views.hpp"
    lists = ADAPTORS.findall(views.read_text(encoding="utf-8")) if views.exists() else []
    names = re.findall(r"\w+", " ".join(lists))
    return problems + [f"docs/guide: no row for {name}()" for name in names if name not in known]


def main(words):
    if len(words) > 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    problems = check(pathlib.Path(words[0] if words else pathlib.Path(__file__).parents[1]).resolve())
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Checks that every atomic operation weaker than seq_cst names its edge, or says why it needs none.

usage: check_edges.py [FILE | FOLDER]...      (default: include src)

The tag or reason stands in a comment on the line of the memory order, or on any line of a call that
spans several lines. It is an edge tag such as [publish], or one of the reasons below. The failure order
of a compare-exchange needs a reason of its own. Over all files, an edge has an end that writes and an
end that reads. Orders are written out where they are used, because this script would not see an alias.
"""
import collections
import dataclasses
import pathlib
import re
import sys

import sources

ORDER = re.compile(
    r"\bmemory_order(?:_|\s*::\s*)(relaxed|consume|acquire|release|acq_rel|seq_cst)\b")
# Not after a word: "taken[i]" in a comment is not a tag.
TAG = re.compile(r"(?<![\w\])])\[([a-z][a-z0-9-]*)\](?![\[(])")
LEADING_TAG = re.compile(r"//\s*\[[a-z]")

FOR_FAILURE = "value unused"
REASONS = ("own value", FOR_FAILURE, "orders nothing", "ordered by", "no other thread")
REASON = re.compile(rf"\b({'|'.join(REASONS)})\b", re.IGNORECASE)
ORDERED_BY = re.compile(r"\bordered by\b[\s/]*(?P<names>[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*)?",
                        re.IGNORECASE)
# What may follow "ordered by" besides tags, and what a file must contain for that.
PHRASES = {
    "the fences": re.compile(r"\b(asymmetric_)?(light|heavy|full)_fence\s*\(|#\s*include .*/sleepers\.hpp"),
    "what announces it": re.compile(r"\bfutex_wait"),
}

OPERATION = re.compile(
    r"(?:\.|->)\s*(load|store|exchange|compare_exchange_\w+|fetch_\w+|test|test_and_set|clear|wait)"
    r"\s*\(|\b(atomic_\w+_explicit|atomic_thread_fence|atomic_signal_fence)\s*\(")
# Ways to write an order without its name.
NAMELESS = re.compile(
    r"\bmemory_order\b(?!\s*::\s*(?:relaxed|consume|acquire|release|acq_rel|seq_cst)\b)"
    r"|\b__(?:atomic|sync)_\w+|\b__ATOMIC_\w+"
    r"|(?:\.|->)\s*(?:load\s*\(|(?:store|exchange|fetch_\w+)\s*\([^;{}]*,)\s*\{[^{}]*\}\s*\)")


@dataclasses.dataclass
class Call:
    """An atomic operation in the code."""
    name: str
    start: int
    end: int
    orders: list  # matches of ORDER among its arguments

    @property
    def failure(self):
        """The failure order of a compare-exchange, if it is written."""
        compares = "compare_exchange" in self.name
        return self.orders[1] if compares and len(self.orders) > 1 else None

    def kinds(self, on_failure=False):
        """Which ends of an edge it can be: the one that writes, the one that reads, or both."""
        if on_failure or self.name in ("load", "test", "wait") or self.name.startswith("atomic_load"):
            return {"reads"}
        if self.name in ("store", "clear") or self.name.startswith("atomic_store"):
            return {"writes"}
        order = self.orders[0][1] if self.orders else "seq_cst"
        return {"release": {"writes"}, "acquire": {"reads"}}.get(order, {"writes", "reads"})


def end_of_call(code, start):
    """Where the parenthesis that opens at `start` closes."""
    depth = 0
    for end in range(start, len(code)):
        depth += (code[end] == "(") - (code[end] == ")")
        if depth == 0:
            return end
    return len(code)


def calls_in(code):
    """The atomic operations; a memory order belongs to the innermost call around it."""
    calls = [Call(m[1] or m[2], m.end() - 1, end_of_call(code, m.end() - 1), [])
             for m in OPERATION.finditer(code)]
    outside = []
    for order in ORDER.finditer(code):
        around = [c for c in calls if c.start < order.start() < c.end]
        if around and argument_of(code, around[-1], order.start()):
            around[-1].orders.append(order)
        else:
            outside.append(order)
    return calls, outside


def argument_of(code, call, position):
    """True if the text at `position` is an argument of `call` itself, not of a call inside it."""
    between = code[call.start + 1:position]
    return between.count("(") == between.count(")") and between.count("{") == between.count("}")


class File:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.code, self.comments = sources.split(text)
        self.code_lines, self.comment_lines = self.code.split("\n"), self.comments.split("\n")
        self.calls, self.outside = calls_in(self.code)
        self.problems = {}  # by line and kind, so that a line is not reported twice for the same

    def line(self, position):
        return self.code.count("\n", 0, position)

    def complain(self, number, what):
        self.problems.setdefault((number, what.split(":")[0]), f"{self.path}:{number + 1}: {what}")

    def said(self, first, last):
        return " ".join(self.comment_lines[first:last + 1])

    def check(self):
        for match in NAMELESS.finditer(self.code):
            self.complain(self.line(match.start()),
                          f"an order without its name: `{' '.join(match[0].split())}`: write "
                          "std::memory_order_... where it is used")
        for order in self.outside:
            self.complain(self.line(order.start()),
                          f"an alias of an order: `{order[0]}` is no argument of an atomic "
                          "operation; write it out where it is used")
        for call in self.calls:
            self.check_words(call)
        return list(self.problems.values())

    def check_words(self, call):
        first, last = self.line(call.start), self.line(call.end)
        said = self.said(first, last)
        for order in call.orders:
            if order[1] == "seq_cst":
                continue
            number = self.line(order.start())
            tags, reasons = TAG.findall(said), [r.lower() for r in REASON.findall(said)]
            if order is call.failure:
                own_line = number != self.line(call.orders[0].start())
                own = self.said(number, last) if own_line else ""
                # A tag elsewhere belongs to the success order, and so does the first of two here.
                good = reasons or TAG.search(own) or (not own_line and len(tags) > 1)
            else:
                good = tags or any(reason != FOR_FAILURE for reason in reasons)
            if not good:
                self.complain(number, f"which edge? `{self.code_lines[number].strip()}`: add "
                                      f"// [tag], or one of: {', '.join(REASONS)}")

    def add_ends(self, ends):
        """Adds the tags of this file to `ends`: tag -> [(place, what it can be)]."""
        for number, comment in enumerate(self.comment_lines):
            kinds = self.kinds_on(number)
            tags = TAG.findall(comment) if kinds else ()
            if not kinds and self.code_lines[number].strip() and LEADING_TAG.match(comment.lstrip()):
                # It may be the line that uses what the line above has read. Otherwise a tag without
                # an operation is a description, and not an end.
                kinds, tags = self.kinds_on(number - 1) & {"reads"}, TAG.findall(comment)
            for tag in tags if kinds else ():
                ends[tag].append((f"{self.path}:{number + 1}", kinds))

    def kinds_on(self, number):
        kinds = set()
        for call in self.calls:
            if self.line(call.start) <= number <= self.line(call.end):
                failure = call.failure and self.line(call.failure.start())
                alone = failure is not None and failure > self.line(call.orders[0].start())
                kinds |= call.kinds(on_failure=alone and number >= failure)
        return kinds

    def check_ordered_by(self, known):
        """Checks that "ordered by" names edges that exist, or one of PHRASES where that makes sense."""
        problems = []
        for number, comment in enumerate(self.comment_lines):
            if not self.code_lines[number].strip():
                continue  # prose
            for match in ORDERED_BY.finditer(comment + " " + self.said(number + 1, number + 1)):
                if match.start() >= len(comment):
                    continue
                rest = match.string[match.start("names"):] if match["names"] else ""
                phrase = next((p for p in PHRASES if rest.startswith(p)), None)
                if phrase:
                    if not PHRASES[phrase].search(sources.without_comments(self.text)):
                        problems.append(f"{self.path}:{number + 1}: ordered by {phrase}: which? "
                                        "nothing in this file says so")
                    continue
                for name in (match["names"] or "nothing").split(", "):
                    if name not in known:
                        problems.append(f"{self.path}:{number + 1}: ordered by {name}: no "
                                        f"operation has the tag [{name}]")
        return problems


def check(paths):
    files = [File(path, path.read_text(encoding="utf-8")) for path in paths]
    ends, problems = collections.defaultdict(list), []
    for file in files:
        problems += file.check()
        file.add_ends(ends)
    for tag, places in ends.items():
        for kind, other in ("writes", "reads"), ("reads", "writes"):
            if not any(kind in kinds for _, kinds in places):
                problems.append(f"{places[0][0]}: [{tag}] has one end only: it {other}, but nothing "
                                f"with that tag {kind}")
    for file in files:
        problems += file.check_ordered_by(ends)
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

#!/usr/bin/env python3
"""Checks that includes point down: a file may include its own layer and those below, never one above.

usage: check_layers.py [--graph] [ROOT]

It also checks that there are no include cycles, that examples use public headers only, that system
headers and foreign libraries stay in detail/base and src, and that a public header opens with its
interface: what it needs from namespace detail stands in headers of detail. Include paths are written
in full, so that this script reads the files that the compiler reads. It limits how much of filch the
headers include (LIMITS). --graph prints the arrows between the layers, and how much a header includes:
headers, and lines of code.
"""
import collections
import pathlib
import re
import sys

import sources

# Lowest first. A name is a folder or a header of include/filch, without its ending.
LAYERS = [
    ("version", "errors", "expected", "options", "metrics", "subrange", "detail/base"),
    ("detail/order",),  # sorting, on one thread or with any fork policy
    ("detail/queue", "deque"),
    ("detail/sched",),
    ("pool", "join", "scope", "spawn", "future", "isolate", "per_worker", "promise",
     "shared_future", "suppressed", "this_worker", "timers", "when", "countdown", "participation"),
    ("detail/observe", "load_monitor", "trace"),  # reads the scheduler, which calls it by hooks
    ("detail/loop",),  # how a range is divided
    ("detail/kernel",),  # what algorithms and chains do to a part of a range
    ("detail/chain",),  # adaptors, and the protocol between the parts of a chain
    ("algorithm", "plumbing"),
    ("ranges",),
    ("filch",),  # the header that includes all the others
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

# Units that may include only some of the layers below them.
ONLY = {
    "deque": {"detail/base", "detail/queue"},  # usable without the rest of filch
    "detail/chain": {"detail/base", "detail/sched", "detail/loop", "detail/kernel"},  # no public header
    "plumbing": {"detail/chain"},
    # never detail/sched or deque
    "algorithm": {"errors", "options", "subrange", "detail/base", "detail/order", "detail/loop",
                  "detail/kernel", *LAYERS[4]},
}

DIRECTIVE = re.compile(r"\s*(?:#|%:)\s*(?:include|include_next|import)\b(.*)|\s*import\b\s*([<\"].*);")
TARGET = re.compile(r'\s*(?:"([^"]+)"|<([^>]+)>)\s*')
SEAM = "FILCH_MODEL_SEAM"  # the one include whose target is not in the file
DETAIL = re.compile(r"\s*(?:inline\s+)?namespace\s+(?:filch::)?detail\b")
NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\b[^;{=]*\{?\s*$")
SCREEN = 50  # lines of code: as much of namespace detail a public header may contain
# How much of filch its headers may include: the longest include path, the average number of other
# headers, and the number of others of one header.
LIMITS = DEPTH, AVERAGE, OTHERS = 18, 20, {"filch/algorithm/parallel_for.hpp": 30}
DEFINES_SEAM = re.compile(rf"\s*(?:#|%:)\s*define\s+{SEAM}\b")


def unit_of(path):
    """The unit of a file, from its path below include/filch or src: "detail/base", "deque"..."""
    parts = list(path.with_suffix("").parts)
    return "/".join(parts[:2]) if parts[0] == "detail" else parts[0]


def unit_of_source(path):
    """src/base belongs to detail/base, src/version.cpp to version."""
    unit = unit_of(path)
    return f"detail/{unit}" if f"detail/{unit}" in RANK else unit


def logical_lines(text):
    """The lines as the preprocessor sees them, without comments, with their numbers."""
    number = 1
    for line in re.split(r"(?<!\\)\n", sources.without_comments(text)):
        yield number, line.replace("\\\n", "")
        number += line.count("\n") + 1


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []
        self.arrows = collections.Counter()
        self.includes = collections.defaultdict(list)  # header -> headers

    def run(self):
        for path in sources.cpp_files("include/filch", "src", "examples", root=self.root):
            relative = path.relative_to(self.root)
            text = path.read_text(encoding="utf-8")
            for number, line in logical_lines(text):
                self.check_line(relative, f"{relative}:{number}", line)
            if relative.parts[:2] == ("include", "filch") and relative.parts[2] != "detail":
                self.check_opening(relative, text)
        self.find_cycles()
        if not self.problems:  # a cycle has no depth
            self.check_figures()
        return self.problems

    def complain(self, where, what):
        self.problems.append(f"{where}: {what}")

    def check_line(self, path, where, line):
        if DEFINES_SEAM.match(line):
            self.complain(where, f"only the model checker's build defines {SEAM}")
        directive = DIRECTIVE.match(line)
        if not directive:
            return
        said = directive[1] or directive[2]
        target = TARGET.fullmatch(said)
        if target:
            self.check(path, where, target[1] or target[2], quoted=bool(target[1]))
        elif said.strip() != SEAM or path.parts[:4] != ("include", "filch", "detail", "base"):
            self.complain(where, f"an include that is computed: `{said.strip()}`; only {SEAM} may be, "
                                 "in detail/base")

    def check_opening(self, path, text):
        """Refuses a public header that opens with namespace detail, or has more of it than a screen."""
        opened, depth, lines = False, 0, 0  # depth: of braces within namespace detail
        for number, line in logical_lines(text):
            if depth == 0 and DETAIL.match(line):
                if not opened:
                    self.complain(f"{path}:{number}", "a public header opens with its interface; "
                                  "move namespace detail into a header of detail")
                    return
                depth, lines = line.count("{") - line.count("}"), lines + 1
            elif depth != 0:
                depth += line.count("{") - line.count("}")
                lines += bool(line.strip())
            elif line.strip() and not line.lstrip().startswith("#") and not NAMESPACE.match(line):
                opened = True
        if lines > SCREEN:
            self.complain(path, f"{lines} lines of namespace detail in a public header, where {SCREEN} "
                                "are allowed; move them into a header of detail")

    def check(self, path, where, target, quoted):
        top = path.parts[0]
        if target.startswith("/") or {"", ".", ".."} & set(target.split("/")):
            self.complain(where, f'write "{target}" without ".", ".." and double slashes')
            return
        if target.startswith("filch/"):
            below = pathlib.PurePath(target).relative_to("filch")
            if top == "examples":
                if below.parts[0] == "detail":
                    self.complain(where, f"{target} is not public; an example may not need it")
                return
            if top == "include":
                self.includes[str(path.relative_to("include"))].append(target)
                self.arrow(where, unit_of(path.relative_to("include/filch")), unit_of(below))
            else:
                self.arrow(where, unit_of_source(path.relative_to("src")), unit_of(below))
        elif quoted:
            self.complain(where, f'write "filch/..." in full, not "{target}"')
        elif top == "include":
            self.check_foreign(path, where, target)

    def check_foreign(self, path, where, target):
        unit = unit_of(path.relative_to("include/filch"))
        if "." not in target and "/" not in target:
            return
        elif unit != "detail/base":
            self.complain(where, f"<{target}> is not of the standard library; others belong in "
                                 "detail/base or src")

    def arrow(self, where, source, target):
        for unit in (source, target):
            if unit not in RANK:
                self.complain(where, f"'{unit}' is in no layer; add it to LAYERS in "
                                     "tools/check_layers.py, where it belongs")
                return
        if source != target:
            self.arrows[source, target] += 1
        if RANK[target] > RANK[source]:
            self.complain(where, f"{source} may not include {target}, which lies above it")
        elif source in ONLY and target not in ONLY[source] | {source}:
            self.complain(where, f"{source} may include only {', '.join(sorted(ONLY[source]))}; "
                                 f"not {target}")

    def find_cycles(self):
        done, trail = set(), []

        def visit(header):
            if header in trail:
                cycle = [*trail[trail.index(header):], header]
                self.complain(f"include/{header}", "include cycle: " + " -> ".join(cycle))
            elif header not in done:
                trail.append(header)
                for target in self.includes.get(header, ()):
                    visit(target)
                trail.pop()
                done.add(header)

        for header in list(self.includes):
            visit(header)

    def headers(self):
        return [str(p.relative_to(self.root / "include"))
                for p in sources.cpp_files("include/filch", root=self.root)]

    def check_figures(self):
        """Refuses headers that include more of filch than LIMITS allow."""
        headers, known = self.headers(), {}
        if not headers:
            return
        deepest = max(headers, key=lambda h: self.depth(h, known))
        average = sum(len(self.reach(h)) for h in headers) / len(headers)
        if known[deepest] > DEPTH:
            self.complain(f"include/{deepest}", f"its longest include path has {known[deepest]} headers; "
                                                f"at most {DEPTH} are allowed")
        if average > AVERAGE:
            self.complain("include", f"a header includes {average:.2f} others on average; at most {AVERAGE} "
                                     "are allowed")
        for header, most in OTHERS.items():
            others = len(self.reach(header))
            if others > most:
                self.complain(f"include/{header}", f"it includes {others} other headers; at most {most} are "
                                                   "allowed")

    def reach(self, header):
        """Every header that `header` includes, directly or not."""
        found, left = set(), [header]
        while left:
            for target in self.includes.get(left.pop(), ()):
                if target not in found:
                    found.add(target)
                    left.append(target)
        return found

    def depth(self, header, known=None):
        """The number of headers on the longest include path from `header`, itself included."""
        known = {} if known is None else known
        if header not in known:
            known[header] = 1 + max((self.depth(t, known) for t in self.includes.get(header, ())),
                                    default=0)
        return known[header]

    def code_lines(self, headers):
        """The number of lines of `headers` that are neither blank nor comment."""
        return sum(bool(line.strip()) for h in headers for line in sources.without_comments(
            (self.root / "include" / h).read_text(encoding="utf-8")).splitlines())

    def figures(self):
        """How much filch's headers include, as lines to print."""
        headers = self.headers()
        reach = {h: self.reach(h) for h in headers}
        yield f"{len(headers)} headers, include depth {max(map(self.depth, headers))}, " \
              f"on average {sum(map(len, reach.values())) / len(headers):.2f} others each"
        for name in ("algorithm/parallel_for", "join", "scope", "pool", "filch"):
            header = f"filch/{name}.hpp"
            yield f"{header}: {len(reach[header])} others, {self.depth(header)} deep, " \
                  f"{self.code_lines(reach[header] | {header})} lines of code"


if __name__ == "__main__":
    words = [w for w in sys.argv[1:] if w != "--graph"]
    checker = Checker(pathlib.Path(words[0]).resolve() if words else sources.ROOT)
    found = checker.run()
    if "--graph" in sys.argv:
        for (source, target), number in sorted(checker.arrows.items()):
            print(f"{source} -> {target}  ({number})")
        print(*checker.figures(), sep="\n")
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)

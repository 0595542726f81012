#!/usr/bin/env python3
"""Checks that the evidence in docs/spec exists: tests, scenarios of the model checker, mutants.

usage: check_spec.py [ROOT]

It reads the cells of every column headed "shown by" and, in prose, what is clearly a reference.
  suite.name, suite.*, suite.part_*     a test; so are prefix/suite.name and packaging.install
  ...part_of_a_name..., suite.part...   the same, with something left out
  model `name`, scenario `name`         a scenario in tests/model/*_model.cpp
  mutant "title", mutant of `call`      a line of tests/model/mutants.txt; a title may have "..."
"""
import fnmatch
import pathlib
import re
import sys

import sources

FILE_ENDINGS = {"hpp", "cpp", "md", "txt", "py", "sh", "json", "cmake"}
TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
INSTANTIATE = re.compile(r"\bINSTANTIATE_(?:TYPED_)?TEST_SUITE_P\s*\(\s*(\w+)\s*,\s*(\w+)")
# As in tests/model/CMakeLists.txt.
SCENARIO = re.compile(r'(play|both_fences)?[(<{][a-z_>(\n ]*"([a-z_]+)", [0-9]')

CODE = re.compile(r"`([^`]*)`")
QUOTED = re.compile(r'"([^"]+)"')
WORD = re.compile(r"[A-Za-z0-9_./*]+")
REFERENCE = re.compile(r"(?:(?P<prefix>\w+)/)?(?P<suite>[a-z_]\w*)(?:/\w+)?"
                       r"\.(?P<name>[a-z_*][\w*]*(?:\.\w+)*)(?:/\w+)?")
CHANGE = re.compile(r"\b(\w+) -> (\w+)\b")


class Evidence:
    """The evidence that exists, by name."""

    def __init__(self, root):
        tests = root / "tests"
        self.tests, self.prefixes, self.scenarios = set(), {}, set()
        for path in sources.cpp_files("tests", root=root):
            code = sources.split(path.read_text(encoding="utf-8"))[0]
            self.tests |= {f"{suite}.{name}" for suite, name in TEST.findall(code)}
            for prefix, suite in INSTANTIATE.findall(code):
                self.prefixes.setdefault(suite, set()).add(prefix)
        for path in sorted(tests.glob("model/*_model.cpp")):
            model = path.name.removesuffix("_model.cpp")
            text = sources.without_comments(path.read_text(encoding="utf-8"))
            for how, name in SCENARIO.findall(text):
                names = {name, f"{name}_full_fences"} if how == "both_fences" else {name}
                self.scenarios |= names
                self.tests |= {f"model.{model}.{n}" for n in names}
        # Tests without GoogleTest: the same names as in the CMakeLists.txt of their folders.
        self.tests |= {f"compile_fail.{p.stem}" for p in tests.glob("compile_fail/*.cpp")}
        self.tests |= {f"example.{p.stem}" for p in root.glob("examples/*.cpp")}
        self.tests |= {f"lint.{p.stem.removeprefix('check_')}" for p in root.glob("tools/check_*.py")}
        packaging = tests / "packaging/packaging.py"
        if packaging.exists():
            self.tests |= {f"packaging.{name}" for name in
                           re.findall(r"^@case\ndef (\w+)", packaging.read_text(), re.MULTILINE)}
        self.suites = {test.partition(".")[0] for test in self.tests}
        self.stress = {p.stem for p in tests.glob("stress/*_stress.cpp")}

        self.titles, self.changes = [], []  # of patches; (call, change) of weakened orders
        mutants = tests / "model/mutants.txt"
        for line in mutants.read_text(encoding="utf-8").splitlines() if mutants.exists() else ():
            fields = [field.strip() for field in line.split(" | ")]
            if line.startswith("#") or len(fields) < 4:
                continue
            if fields[1] == "patch":
                self.titles.append(re.sub(r" \([^()]*\)$", "", fields[2]))
            else:
                self.changes.append((fields[2].partition(": ")[2], fields[3]))

    def has_test(self, word):
        """True if a test matches `word`, in which "*" and "..." match anything."""
        match = REFERENCE.fullmatch(word)
        if match and match["prefix"] and match["prefix"] not in self.prefixes.get(match["suite"], ()):
            return False
        wanted = f"{match['suite']}.{match['name']}" if match else \
            re.sub(r"^\*(?!\.)", "*.*", word.replace("...", "*"))
        return bool(fnmatch.filter(self.tests, wanted))

    def has_title(self, title):
        return bool(fnmatch.filter(self.titles, re.sub(r"\s*\.\.\.\s*", "*", title)))

    def has_change(self, call, changes):
        found = [change for operation, change in self.changes if operation.endswith(call)]
        return bool(found) and all(any(wanted in change for change in found) for wanted in changes)


def cells(text):
    """Every table cell and line of prose, as (line number, text, is it evidence?)."""
    evidence, columns, fenced = None, None, False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        if fenced:
            continue
        if not line.startswith("|"):
            evidence = columns = None
            yield number, line, False
            continue
        row = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        if columns is None:
            columns = len(row)
            evidence = {i for i, head in enumerate(row) if "shown by" in head.lower()}
        else:
            for i, cell in enumerate(row):
                yield number, cell, i in evidence


def unknown_tests(cell, is_evidence, there):
    """The words in `cell` that have the form of a test but name none."""
    text = QUOTED.sub(" ", cell)
    if is_evidence:  # a test may be set as code; a call may not
        text = CODE.sub(lambda m: m[1] if re.fullmatch(r"[\w./*]+\.[\w/*]+", m[1]) else " ", text)
    else:
        text = CODE.sub(" ", text)
    for word in WORD.findall(text):
        word = word if word.endswith("...") else word.rstrip(".")
        match = REFERENCE.fullmatch(word)
        if "..." in word:
            is_test = "_" in word
        elif match and match["name"].rpartition(".")[2] not in FILE_ENDINGS:
            # In prose only words that cannot be anything else.
            is_test = is_evidence or match["suite"] in there.suites or word.count("_") > 1
        elif is_evidence and word.endswith("_stress"):
            if word not in there.stress | there.suites:
                yield f"no stress test {word}"
            continue
        else:
            continue
        if is_test and not there.has_test(word):
            yield f"no test {word}"


def unknown_scenarios(cell, is_evidence, there):
    if is_evidence:  # all names in a clause that speaks of the model
        clauses = [c for c in cell.split(";") if re.search(r"\b(model|scenarios?)\b", CODE.sub("", c))]
        names = [n for clause in clauses for n in CODE.findall(clause)]
    else:
        names = re.findall(r"\b(?:model|scenario) `([^`]+)`", cell)
    for name in names:
        if re.fullmatch(r"[a-z_]+\*?", name) and not fnmatch.filter(there.scenarios, name):
            yield f"no scenario {name}"


def unknown_mutants(cell, is_evidence, there):
    start = re.search(r"\bmutants?\b", CODE.sub(lambda m: " " * len(m[0]), cell))
    if not start:
        return
    said = cell[start.start():]
    if not is_evidence:
        said = re.match(r'mutants?(?: of)?(?:,? (?:and |or )?(?:"[^"]+"|`[^`]+`))*', said)[0]
    for title in QUOTED.findall(said):
        if not there.has_title(title):
            yield f'no mutant "{title}"'
    for clause in said.split(";"):
        if not re.search(r"\bmutants? of\b", clause):
            continue
        changes = [f"{m[1]} -> {m[2]}" for m in CHANGE.finditer(clause)]
        for call in CODE.findall(clause):
            if not there.has_change(call, changes):
                yield f"no mutant of {call}" + (f", {', '.join(changes)}" if changes else "")


def check_page(name, text, there):
    problems = []
    for number, cell, is_evidence in cells(text):
        for unknown in (unknown_tests, unknown_scenarios, unknown_mutants):
            problems += [f"{name}:{number}: {what}" for what in unknown(cell, is_evidence, there)]
    return problems


def check(root):
    there, problems = Evidence(root), []
    pages = sorted((root / "docs/spec").glob("*.md"))
    for page in pages:
        problems += check_page(page.relative_to(root), page.read_text(encoding="utf-8"), there)
    return problems if pages else ["docs/spec: no pages"]


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve() if sys.argv[1:] else sources.ROOT)
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)

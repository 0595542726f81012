"""Writes the patch mutants of one model as one source file, each in a namespace of its own.

To compile them one by one would take most of the time of all model checks: nearly all of it goes to
the standard library and to scenarios that a mutant does not need. So they share one compilation, in
which a mutant is the model and the headers it uses, with the patch applied and nothing else changed;
of the scenarios it has only the one that kills it, if there is one.
"""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
QUOTED = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)
ANGLED = re.compile(r"^#include (<[^>]+>)$", re.MULTILINE)
# Not in the mutants' namespaces: what every one of them shares, and no patch may change.
SHARED = ("explorer/", "filch/detail/base/")
SCENARIO = re.compile(r'(?:\b(?:play|both_fences)\(|\{\{|\{)\s*"([a-z_]+)", \d')


class BadPatch(Exception):
    pass


def patch_texts(files, patches):
    """Applies each "FILE: OLD => NEW" to the texts in `files`, a dictionary by path."""
    for patch in patches.split(" && "):
        file, _, change = patch.partition(": ")
        old, arrow, new = change.partition(" => ")
        found = [path for path in files if pathlib.Path(path).name == file]
        if len(found) != 1 or not arrow:
            raise BadPatch(f"not 'FILE: OLD => NEW', or not a file of this model: {patch}")
        # White space is free, so that formatting the headers does not break the mutants.
        pattern = r"\s*".join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", old))
        files[found[0]], count = re.subn(pattern, lambda _: new, files[found[0]])
        if count == 0:
            raise BadPatch(f"{file} does not say: {old}")


def files_of(source):
    """The texts of `source` and of what it includes, in the order in which a compiler reads them,
    and the includes that go in front of all mutants."""
    files, shared = {}, []

    def read(name, path):
        text = path.read_text()
        shared.extend(ANGLED.findall(text))
        for included in QUOTED.findall(text):
            if included.startswith(SHARED):
                shared.append(f'"{included}"')
            elif included not in files:
                beside = HERE / included
                read(included, beside if beside.exists() else INCLUDE / included)
        files[name] = text

    read(source.name, source)
    return files, list(dict.fromkeys(shared))


def end_of(text, start):
    """Where the bracket at `start` is closed: the index behind it."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise BadPatch("a bracket is not closed")


def only_scenario(text, name):
    """The text of a model with one scenario left. It keeps its lines."""
    at, found = 0, False
    while match := SCENARIO.search(text, at):
        if match[1] in (name, name.removesuffix("_full_fences")):
            at, found = match.end(), True
            continue
        end = end_of(text, match.start() + re.search(r"[({]", match[0]).start())
        end += text[end:end + 1] == ","
        text = text[:match.start()] + re.sub(r"[^\n]", "", text[match.start():end]) + text[end:]
        at = match.start()
    if not found:
        raise BadPatch(f"there is no scenario '{name}'")
    return text


def mutant(source, number, patches, scenario):
    """The namespace of one mutant."""
    files, _ = files_of(source)
    patch_texts(files, patches)
    if scenario:
        files[source.name] = only_scenario(files[source.name], scenario)
    body = ""
    for name, text in files.items():
        text = re.sub(r"^#(include .*|pragma once)$", "", text, flags=re.MULTILINE)
        body += f'#line 1 "mutant_{number}/{name}"\n{text}'
    return f"""namespace mutant_{number} {{
namespace filch::detail {{ using namespace ::filch::detail; }}
namespace model {{ using namespace ::model; }}
{body}}}
"""


def program(source, mutants):
    """The whole text. `mutants`: a list of (number, patches, scenario that kills it or None)."""
    _, shared = files_of(source)
    text = "".join(f"#include {name}\n" for name in shared) + "#include <cstdio>\n#include <cstdlib>\n"
    cases = ""
    for number, patches, scenario in mutants:
        try:
            text += mutant(source, number, patches, scenario)
            cases += f"    case {number}: return mutant_{number}::main(argc - 1, argv + 1);\n"
        except BadPatch as why:  # fails alone, when it is run
            quoted = str(why).replace("\\", "\\\\").replace('"', '\\"')
            cases += f'    case {number}: std::puts("{quoted}"); return 2;\n'
    return f"""{text}#line 1 "main"
// usage: <program> MUTANT [arguments of the model]
int main(int argc, char** argv) {{
  switch (argc > 1 ? std::atoi(argv[1]) : 0) {{
{cases}    default: std::puts("there is no such mutant"); return 2;
  }}
}}
"""

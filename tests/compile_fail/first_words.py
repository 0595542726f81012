"""What a compiler says first when it is given a public header and a setting that filch refuses.

usage: first_words.py WORDS INCLUDE COMPILER [FLAG]...

INCLUDE is the folder of the headers. The first error of every public one must have WORDS.
"""
import pathlib
import re
import subprocess
import sys

FIRST_INCLUDE = re.compile(r'(?://.*\n|\s)*#pragma once\n\s*#include "(.*)"')


def first_error(header, include, command):
    done = subprocess.run([*command, f"-I{include}", "-fsyntax-only", "-Wfatal-errors", "-x", "c++", "-"],
                          input=f"#include <{header}>\n", capture_output=True, text=True, check=False)
    error = re.search(r"error: .*", done.stderr)
    return error[0] if error else "it compiles"


def main(words, include, *command):
    include = pathlib.Path(include)
    headers = sorted(h.relative_to(include) for h in include.rglob("*.hpp") if "detail" not in h.parts)
    said = {}  # by header
    for header in headers:
        # What comes first decides what is said first: one compilation is enough for all those that
        # begin with the same header.
        while match := FIRST_INCLUDE.match((include / header).read_text(encoding="utf-8")):
            header = match[1]
        if header not in said:
            said[header] = first_error(header, include, command)
    wrong = [f"{header}: {error}" for header, error in said.items() if words not in error]
    if wrong or not headers:
        return "\n".join([f"the first error is not '{words}', of {len(headers)} headers:", *wrong])
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
"""Checks one Promela model with spin: every state of the right one, and that broken ones fail.

usage: check.py MODEL.pml [-DNAME...] [--fails]

Without --fails the search must be complete and find nothing; with it, it must find an error (else the
model could not have noticed that bug). There is no `ltl` in the models: it would turn the search for
deadlocks off.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def search(model, defines, optimise):
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            return subprocess.run(command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT).stdout
        said = run("spin", "-a", *defines, str(model))
        if "rror" in said or "claim" in said:
            sys.exit(f"spin: {said}")
        run("gcc", optimise, "-w", "-DSAFETY", "-o", "pan", "pan.c")
        return run("./pan", "-m100000")


def main():
    arguments = sys.argv[1:]
    fails = "--fails" in arguments
    defines = [a for a in arguments if a.startswith("-D")]
    models = [a for a in arguments if not a.startswith("-")]
    if len(models) != 1:
        sys.exit(__doc__)
    said = search(pathlib.Path(models[0]).resolve(), defines, "-O0" if fails else "-O1")
    print(said)
    errors = re.search(r"errors: (\d+)", said)
    if not errors:
        sys.exit("the verifier did not say how many errors there are")
    if fails:
        # An assertion or a deadlock, not some other trouble of the verifier.
        found = re.search(r"pan:1: (assertion violated|invalid end state)", said)
        return 0 if found and errors.group(1) == "1" else "this variant should fail, and does not"
    if errors.group(1) != "0":
        return "the model fails"
    checked = re.search(r"invalid end states\s+\+", said) and re.search(r"assertion violations\s+\+", said)
    if not checked or "max search depth too small" in said or "Search not completed" in said:
        return "the search was not complete"
    return 0


if __name__ == "__main__":
    sys.exit(main())

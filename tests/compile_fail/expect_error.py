"""Compiles a file with misuse that must fail, each for its own reason.

usage: expect_error.py [--misuse-only] FILE COMPILER [FLAG]...

Without FILCH_MISUSE the file must compile; --misuse-only leaves that to others. With FILCH_MISUSE it must not, and the first error of the
compiler, with which it ends, must match a regular expression: that of the first line of the file,
"// error: ...", if the misuse is behind #ifdef FILCH_MISUSE. A file may have several, which are compiled
one by one: "#if FILCH_MISUSE == 1  // error: ...". A line "// flags: ..." adds to the flags of the
command line.
"""
import pathlib
import re
import subprocess
import sys

ERROR = re.compile(r"^(?:\S+:\d+:\d+: )?(?:fatal )?error: (.*)$", re.MULTILINE)


def first_error(output):
    """What the compiler says first, without the place; None if it says nothing."""
    found = ERROR.search(output)
    return found[1] if found else None


def misuses(text):
    """(value of FILCH_MISUSE, expected error) of each."""
    found = re.findall(r"^#(?:el)?if FILCH_MISUSE == (\d+)  // error: (.+)$", text, re.MULTILINE)
    return found + [("1", e) for e in re.findall(r"\A// error: (.+)$", text, re.MULTILINE)]


def main(*words):
    misuse_only = words[0] == "--misuse-only"
    path, *command = words[misuse_only:]
    text = pathlib.Path(path).read_text(encoding="utf-8")
    for flags in re.findall(r"^// flags: (.+)$", text, re.MULTILINE):
        command += flags.split()
    expected = misuses(text)
    if not expected:
        return f"{path}: says nowhere which error it expects, as '// error: <regular expression>'"

    if not misuse_only:
        good = subprocess.run([*command, path], capture_output=True, text=True, check=False)
        if good.returncode != 0:
            return f"{path}: does not compile even without the misuse:\n{good.stderr}"
    for number, pattern in expected:
        bad = subprocess.run([*command, "-Wfatal-errors", f"-DFILCH_MISUSE={number}", path],
                             capture_output=True, text=True, check=False)
        if bad.returncode == 0:
            return f"{path}: the misuse {number} compiles"
        error = first_error(bad.stderr)
        if error is None or not re.search(pattern, error):
            return f"{path}: the first error of misuse {number} is not '{pattern}':\n{bad.stderr}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Compiles a file that must fail, for the reason its first line gives.

usage: expect_error.py FILE COMPILER [FLAG]...
"""
import pathlib
import re
import subprocess
import sys


def main(path, *command):
    first_line = pathlib.Path(path).read_text(encoding="utf-8").partition("\n")[0]
    expected = re.fullmatch(r"// error: (.+)", first_line)
    if not expected:
        return f"{path}: the first line must be '// error: <regular expression>'"

    good = subprocess.run([*command, path], capture_output=True, text=True, check=False)
    if good.returncode != 0:
        return f"{path}: does not compile even without the misuse:\n{good.stderr}"
    bad = subprocess.run([*command, "-DFILCH_MISUSE", path], capture_output=True, text=True,
                         check=False)
    if bad.returncode == 0:
        return f"{path}: the misuse compiles"
    if not re.search(expected[1], bad.stderr):
        return f"{path}: fails, but not with '{expected[1]}':\n{bad.stderr}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

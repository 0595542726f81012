#!/usr/bin/env python3
"""Checks that C++ files are formatted as .clang-format says. usage: check_format.py [--fix] [FILE]..."""
import subprocess
import sys

import sources

arguments = [a for a in sys.argv[1:] if a != "--fix"]
files = arguments or [str(path) for path in sources.cpp_files()]
mode = ["-i"] if "--fix" in sys.argv else ["--dry-run", "-Werror"]
code = subprocess.call(["clang-format", "--style=file", *mode, *files], cwd=sources.ROOT)
if code != 0:
    print("Repair with: python3 tools/check_format.py --fix")
sys.exit(1 if code else 0)

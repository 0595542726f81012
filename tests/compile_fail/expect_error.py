"""Checks that misuse does not compile, and that the first error of the compiler says what to do.

usage: expect_error.py compile JOINED FILE... -- COMPILER [FLAG]...
       expect_error.py check JOINED FILE -- COMPILER [FLAG]...

A file names the error that it expects as a regular expression: in its first line, "// error: ...", if
the misuse stands behind #ifdef FILCH_MISUSE. A file may have several cases inside of a function:
"#if FILCH_MISUSE == 1  // error: ...".

"compile" compiles the misuse of all files as one source, JOINED, each file in a namespace of its own and
each numbered case in a block of its own. JOINED.txt is what the compiler says. "check" requires that
the first error of each case of FILE, whose place is in that case or which comes from an instantiation
that the case asks for, matches. A compiler reports an error in a specialisation only once, so a case may
have another error or none because of the cases before it: such a case is compiled alone.
"""
import pathlib
import re
import subprocess
import sys

PLACE = re.compile(r"^(?P<path>[^\s:]+):(?P<line>\d+):\d+:? +(?P<what>.*)$")
ERROR = re.compile(r"^(?:[^\s:]+:\d+:\d+: )?(?:fatal )?error: (.*)$", re.MULTILINE)
NUMBERED = re.compile(r"^#(el)?if FILCH_MISUSE == (\d+) +// error: (.+)$")


def first_error(output):
    """What the compiler says first, without the place; None if it says nothing."""
    found = ERROR.search(output)
    return found[1] if found else None


def cases(text):
    """(value of FILCH_MISUSE, expected error, the lines of the case) of each."""
    lines, found = text.splitlines(), []
    for number, line in enumerate(lines, 1):
        if match := NUMBERED.match(line):
            length = next(n for n, later in enumerate(lines[number:], 1) if later.startswith("#e"))
            found.append((match[2], match[3], range(number, number + length)))
    if match := re.match(r"// error: (.+)\n", text):
        found.append(("1", match[1], range(1, len(lines) + 1)))
    return found


def in_blocks(text):
    """`text` with all its numbered cases, each in a block, and without its includes."""
    result, numbered = [], False
    for line in text.splitlines():
        if match := NUMBERED.match(line):
            numbered, line = True, "} {" if match[1] else "{"
        elif numbered and line == "#endif":
            numbered, line = False, "}"
        elif line.startswith("#include "):
            line = ""
        result.append(line)
    return "\n".join(result)


def joined(files):
    """A source that is all of `files`: {path: text}."""
    includes = dict.fromkeys(line for text in files.values() for line in text.splitlines()
                             if line.startswith("#include "))
    parts = [f'namespace joined_{number} {{\nnamespace {{\n#line 1 "{path}"\n{in_blocks(text)}\n}}\n}}\n'
             for number, (path, text) in enumerate(files.items())]
    return "\n".join(includes) + "\n" + "".join(parts)


def errors(output):
    """(places, error) of each error: where it is, and the instantiations that led to it."""
    found, required = [], []
    for line in output.splitlines():
        if re.match(r"\S+: In ", line):  # g++ names a function, and before that what requires it
            required = []
        elif match := PLACE.match(line):
            place, what = (match["path"], int(match["line"])), match["what"]
            if error := re.match(r"(?:fatal )?error: (.*)", what):
                found.append(([place, *required], error[1]))
            elif what.startswith("required "):
                required.append(place)
            elif what.endswith(" requested here") and found:  # clang++ says that after the error
                found[-1][0].append(place)
    return found


def error_of_case(found, path, lines):
    """The first of the errors `found` that the case in these lines of `path` has; "" if it has none."""
    return next((error for places, error in found
                 if any(p == path and line in lines for p, line in places)), "")


def compile_all(path, files, command):
    source = pathlib.Path(path)
    texts = {file: pathlib.Path(file).read_text(encoding="utf-8") for file in files}
    source.write_text(joined(texts), encoding="utf-8")
    limits = ["-ftemplate-backtrace-limit=0",
              "-ferror-limit=0" if "clang" in pathlib.Path(command[0]).name else "-fmax-errors=0"]
    done = subprocess.run([*command, *limits, "-DFILCH_MISUSE", path], capture_output=True, text=True,
                          check=False)
    source.with_suffix(".txt").write_text(done.stderr, encoding="utf-8")
    return 0 if done.returncode else f"{path}: all misuse compiles"


def check(path, file, command):
    text = pathlib.Path(file).read_text(encoding="utf-8")
    found = errors(pathlib.Path(path).with_suffix(".txt").read_text(encoding="utf-8"))
    expected = cases(text)
    if not expected:
        return f"{file}: says nowhere which error it expects, as '// error: <regular expression>'"
    for number, pattern, lines in expected:
        if re.search(pattern, error_of_case(found, file, lines)):
            continue
        print(f"compiled alone: {file}, misuse {number}")
        bad = subprocess.run([*command, "-Wfatal-errors", f"-DFILCH_MISUSE={number}", file],
                             capture_output=True, text=True, check=False)
        if bad.returncode == 0:
            return f"{file}: the misuse {number} compiles"
        error = first_error(bad.stderr)
        if error is None or not re.search(pattern, error):
            return f"{file}: the first error of misuse {number} is not '{pattern}':\n{bad.stderr}"
    return 0


def main(action, path, *words):
    end = words.index("--")
    files, command = words[:end], words[end + 1:]
    return compile_all(path, files, command) if action == "compile" else check(path, *files, command)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""expect_error.py of tests/compile_fail wants the first error of a compiler, and not any of them."""
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "compile_fail"))
import expect_error  # noqa: E402

# A compiler that says the words behind "says:" in the file, and fails, if there is misuse.
COMPILER = """
import re, sys
misuse = [a.partition("=")[2] for a in sys.argv if a.startswith("-DFILCH_MISUSE")]
said = re.findall(r"says: (.*)", open(sys.argv[-1]).read()) if misuse else []
for line in said:
    print(line.replace("N", misuse[0]).replace("FLAGS", " ".join(sys.argv[1:-1])), file=sys.stderr)
sys.exit(1 if said else 0)
"""


def verdict(text):
    with tempfile.TemporaryDirectory() as folder:
        compiler, file = pathlib.Path(folder) / "compiler.py", pathlib.Path(folder) / "a.cpp"
        compiler.write_text(COMPILER)
        file.write_text(text)
        return expect_error.main(str(file), sys.executable, str(compiler))


class ExpectError(unittest.TestCase):
    def test_accepts_the_first_error_whatever_stands_before_it(self):
        self.assertEqual(verdict("// error: move it\n// says: a.hpp:1: required from here\n"
                                 "// says: a.hpp:1:2: error: move it first\n"), 0)

    def test_refuses_what_only_a_later_error_or_a_note_says(self):
        self.assertIn("is not 'move it'", verdict("// error: move it\n// says: a.cpp:1:2: error: no match\n"
                                                  "// says: a.cpp:1:2: error: move it\n"))
        self.assertIn("is not 'move it'", verdict("// error: move it\n// says: a.cpp:1:2: error: no match\n"
                                                  "// says: a.cpp:1:2: note: move it\n"))

    def test_refuses_misuse_that_compiles(self):
        self.assertIn("misuse 1 compiles", verdict("// error: move it\n"))

    def test_looks_at_each_misuse_of_a_file(self):
        cases = "#if FILCH_MISUSE == 1  // error: number 1\n#elif FILCH_MISUSE == 2  // error: number {}\n"
        self.assertEqual(verdict(cases.format(2) + "// says: error: number N\n"), 0)
        self.assertIn("misuse 2 is not", verdict(cases.format(3) + "// says: error: number N\n"))

    def test_passes_the_flags_of_the_file_on(self):
        self.assertEqual(verdict("// error: -Wextra\n// flags: -Wextra\n// says: error: FLAGS\n"), 0)

    def test_refuses_a_file_that_expects_nothing(self):
        self.assertIn("which error it expects", verdict("int x;\n"))


if __name__ == "__main__":
    unittest.main()

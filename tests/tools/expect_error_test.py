"""expect_error.py of tests/compile_fail wants the first error of each case, and not any of them."""
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "compile_fail"))
import expect_error  # noqa: E402

# A compiler that says the words behind "says:" in its input, and fails, if there is misuse.
COMPILER = """
import re, sys
misuse = [a.partition("=")[2] for a in sys.argv if a.startswith("-DFILCH_MISUSE")]
said = re.findall(r"says: (.*)", open(sys.argv[-1]).read()) if misuse else []
for line in said:
    print(line.replace("N", misuse[0]), file=sys.stderr)
sys.exit(1 if said else 0)
"""
CASES = "#if FILCH_MISUSE == 1  // error: number 1\nf();\n#elif FILCH_MISUSE == 2   // error: number 2\ng();\n#endif\n"
GNU = """a.hpp: In instantiation of 'void f() [with T = int]':
a.cpp:2:3:   required from here
a.hpp:7:1: error: number 1
a.hpp:8:1: error: number 3
a.cpp: In function 'void misuse()':
a.cpp:4:3: error: number 2
"""
CLANG = """a.hpp:7:1: error: number 1
a.cpp:2:3: note: in instantiation of function template specialization 'f<int>' requested here
a.hpp:8:1: error: number 3
a.cpp:4:3: note: in instantiation of function template specialization 'g<int>' requested here
"""


def verdict(text, together=""):
    """What "check" says of a file, if compiling all files as one has said `together`."""
    with tempfile.TemporaryDirectory() as folder:
        compiler, file, joined = (pathlib.Path(folder) / name for name in ("c.py", "a.cpp", "all.cpp"))
        compiler.write_text(COMPILER)
        file.write_text(text)
        joined.with_suffix(".txt").write_text(together.replace("a.cpp", str(file)))
        return expect_error.main("check", str(joined), str(file), "--", sys.executable, str(compiler))


class Cases(unittest.TestCase):
    def test_a_file_is_one_case_or_has_numbered_ones(self):
        self.assertEqual(expect_error.cases("// error: move it\nint x;\n"), [("1", "move it", range(1, 3))])
        self.assertEqual(expect_error.cases(CASES), [("1", "number 1", range(1, 3)),
                                                     ("2", "number 2", range(3, 5))])

    def test_each_numbered_case_becomes_a_block_on_the_same_lines(self):
        self.assertEqual(expect_error.in_blocks("#include <new>\n" + CASES + "#ifdef A\n#endif\n"),
                         "\n{\nf();\n} {\ng();\n}\n#ifdef A\n#endif")

    def test_files_are_joined_each_in_a_namespace_with_its_own_lines(self):
        text = expect_error.joined({"a.cpp": "#include <new>\nint a;\n", "b.cpp": "#include <new>\nint b;\n"})
        self.assertEqual(text.count("#include <new>"), 1)
        self.assertIn('namespace joined_1 {\nnamespace {\n#line 1 "b.cpp"\n\nint b;\n}\n}\n', text)

    def test_an_error_is_of_the_case_that_has_it_or_asks_for_the_instantiation(self):
        for said, second in ((GNU, "number 2"), (CLANG, "number 3")):
            found = expect_error.errors(said)
            self.assertEqual(expect_error.error_of_case(found, "a.cpp", range(1, 3)), "number 1")
            self.assertEqual(expect_error.error_of_case(found, "a.cpp", range(3, 5)), second)
            self.assertEqual(expect_error.error_of_case(found, "b.cpp", range(1, 9)), "")


class Check(unittest.TestCase):
    def test_accepts_what_all_files_as_one_have_said(self):
        self.assertEqual(verdict(CASES, GNU), 0)

    def test_compiles_alone_what_has_another_error_among_others(self):
        self.assertEqual(verdict(CASES + "// says: error: number N\n", CLANG), 0)
        self.assertIn("misuse 2 is not", verdict(CASES + "// says: error: number 3\n", CLANG))

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

    def test_refuses_a_file_that_expects_nothing(self):
        self.assertIn("which error it expects", verdict("int x;\n"))


if __name__ == "__main__":
    unittest.main()

"""check_format.py and check_tidy.py see a mistake: their tools are there and configured."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_tidy

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


def exit_code(check, text):
    # Inside the project, because clang-format looks for its configuration from the file upwards.
    with tempfile.TemporaryDirectory(dir=TOOLS.parent / "tests", prefix=".style_") as folder:
        path = pathlib.Path(folder) / "a.cpp"
        path.write_text(text)
        return subprocess.run([sys.executable, "-B", TOOLS / f"check_{check}.py", path],
                              capture_output=True, check=False).returncode


class Style(unittest.TestCase):
    def test_format(self):
        self.assertEqual(exit_code("format", "int f() { return 1; }\n"), 0)
        self.assertEqual(exit_code("format", "int f() {return 1;}\n"), 1)

    def test_tidy(self):
        self.assertEqual(exit_code("tidy", "int* f() { return nullptr; }\n"), 0)
        self.assertEqual(exit_code("tidy", "int* f() { return 0; }\n"), 1)

    def test_tidy_sees_into_a_template_that_no_file_uses(self):
        self.assertEqual(exit_code("tidy", "template <class T>\nint* f() { return 0; }\n"), 1)

    def test_tidy_sees_into_files_that_are_joined(self):
        with tempfile.TemporaryDirectory(dir=TOOLS.parent / "examples", prefix=".style_") as folder:
            first, second = (pathlib.Path(folder) / name for name in ("a.cpp", "b.cpp"))
            (pathlib.Path(folder) / "own.hpp").write_text("#pragma once\nusing pointer = int*;\n")
            program = '#include "own.hpp"\npointer f();\npointer f() { return nullptr; }\n' \
                "int main() { return f() == nullptr ? 0 : 1; }\n"
            first.write_text(program)
            second.write_text(program)
            group = [("programs", [first, second])]
            self.assertEqual(check_tidy.tidy(group), "")
            second.write_text(program.replace("return nullptr", "return 0"))
            said = check_tidy.tidy(group)
            self.assertIn("b.cpp:3:", said)
            self.assertNotIn("a.cpp", said)


if __name__ == "__main__":
    unittest.main()

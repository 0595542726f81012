"""check_format.py and check_tidy.py see a mistake: their tools are there and configured."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()

"""check_files.py and what it shares with the other checkers can fail."""
import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import check_files
import sources


class Text(unittest.TestCase):
    def refuse(self, text, said):
        (problem,) = check_files.check_text("f", text)
        self.assertIn(said, problem)

    def test_accepts_plain_text(self):
        self.assertEqual(check_files.check_text("f", "see /usr/include, docs/work/ and mktemp.XXXX\n"),
                         [])

    def test_refuses_unfinished_business(self):
        for word in ("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK"):
            self.refuse(f"ok\n// {word}: later\n", "f:2: unfinished business")

    def test_refuses_raw_escape_codes(self):
        self.refuse("\x1b[0m\n", "an escape code")

    def test_refuses_paths_of_a_machine(self):
        for folder in ("work", "root", "home"):
            self.refuse(f"see /{folder}/me\n", "one machine")

    def test_refuses_untidy_ends(self):
        self.refuse("a \n", "white space")
        self.refuse("a", "no end")

    def test_refuses_another_way_to_read_the_environment(self):
        text = 'std::getenv("FILCH_TRACE");\n'
        for name in ("src/a.cpp", pathlib.Path("include/filch/a.hpp"), "cli/base/a.cpp"):
            (problem,) = check_files.check_text(name, text)
            self.assertIn("environment_variable", problem)
        self.assertEqual(check_files.check_text("tests/a.cpp", text), [])
        self.assertEqual(check_files.check_text("src/a.cpp", "secure_getenv(name);\n"), [])

    def test_refuses_a_long_file_without_a_reason(self):
        self.refuse("a\n" * 601, "601 lines")
        self.assertEqual(check_files.check_text("f", "a\n" * 600), [])
        self.assertEqual(check_files.check_text("f", "// Long because ...\n" + "a\n" * 700), [])


class Versions(unittest.TestCase):
    CMAKE = "project(filch\n  VERSION 1.2.3\n"
    HEADER = '#define FILCH_VERSION 10203\ninline constexpr const char* header_version = "1.2.3";\n'
    CHANGELOG = "# Changelog\n\n## Unreleased\n"

    def test_accepts_agreement(self):
        self.assertEqual(check_files.check_versions(self.CMAKE, self.HEADER, self.CHANGELOG), [])

    def test_refuses_each_disagreement(self):
        for cmake, header, changelog in (
                (self.CMAKE.replace("1.2.3", "1.2.4"), self.HEADER.replace("10203", "10204"),
                 self.CHANGELOG),
                (self.CMAKE, self.HEADER.replace("10203", "10204"), self.CHANGELOG),
                (self.CMAKE, self.HEADER, "## 1.2.2\n"),
                (self.CMAKE, "", self.CHANGELOG)):
            self.assertTrue(check_files.check_versions(cmake, header, changelog))


class Listed(unittest.TestCase):
    def test_refuses_a_source_that_is_not_built(self):
        self.assertEqual(check_files.check_listed(["src/a.cpp"], "  src/a.cpp)\n"), [])
        self.assertEqual(len(check_files.check_listed(["src/a.cpp"], "  src/base/a.cpp)\n")), 1)


class Split(unittest.TestCase):
    def test_code_and_comments_keep_their_positions(self):
        text = "a(1'000, 'x'); // b\n/* c\n d */ e(\"// f\");\n"
        code, comments = sources.split(text)
        self.assertEqual(code, "a(1'000,    );     \n    \n      e(      );\n")
        self.assertEqual(comments, "               // b\n/* c\n d */           \n")

    def test_comments_and_raw_strings_can_be_taken_out(self):
        self.assertEqual(sources.without_comments('a /* b */ "//c" R"(d)"; // e\n'),
                         'a         "//c"       ;     \n')


class ProjectFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "project"
        for name in ("src/a.cpp", "README.md", "build/b.cpp", ".git/c.cpp"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text("")
        self.programs = pathlib.Path(folder.name) / "programs"
        self.programs.mkdir()

    def check(self):
        self.assertEqual([str(p.relative_to(self.root)) for p in sources.project_files(self.root)],
                         ["README.md", "src/a.cpp"])

    def test_are_found_where_there_is_a_repository_but_no_git(self):
        with mock.patch.dict(os.environ, PATH=str(self.programs)):
            with self.assertRaises(OSError):  # else this would test nothing
                subprocess.run(["git", "--version"], check=False)
            self.check()

    def test_are_found_where_git_fails(self):
        git = self.programs / "git"
        git.write_text("#!/bin/sh\nexit 128\n")
        git.chmod(0o755)
        with mock.patch.dict(os.environ, PATH=str(self.programs)):
            self.check()


if __name__ == "__main__":
    unittest.main()

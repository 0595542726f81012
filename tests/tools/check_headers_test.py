"""check_headers.py compiles headers alone, and can fail."""
import pathlib
import tempfile
import unittest

import check_headers


def problems(*texts):
    """Of headers with these texts: a.hpp, b.hpp, ..."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        headers = [root / f"include/filch/{letter}.hpp" for letter, _ in zip("abcdefgh", texts)]
        headers[0].parent.mkdir(parents=True)
        for header, text in zip(headers, texts):
            header.write_text(text)
        return check_headers.check(headers, root)


class CheckHeaders(unittest.TestCase):
    def test_accepts_a_header_that_stands_alone(self):
        self.assertEqual(problems("#pragma once\n#include <vector>\ninline std::vector<int> a;\n"), [])

    def test_refuses_a_missing_include(self):
        (problem,) = problems("#pragma once\ninline std::vector<int> a;\n")
        self.assertIn("filch/a.hpp does not compile alone", problem)

    def test_what_is_precompiled_for_others_helps_no_header_that_forgot_it(self):
        alike = ["#pragma once\n#include <vector>\n"] * 5
        (problem,) = problems("#pragma once\ninline std::vector<int> a;\n", *alike)
        self.assertIn("filch/a.hpp does not compile alone", problem)
        self.assertEqual(problems('#pragma once\n#include "filch/b.hpp"\n'
                                  "inline std::vector<int> a;\n", *alike), [])

    def test_a_precompiled_header_of_filch_helps_no_header_that_forgot_it(self):
        texts = ["#pragma once\ninline int b;\n", *['#pragma once\n#include "filch/a.hpp"\n'] * 5]
        self.assertEqual(problems(*texts), [])
        (problem,) = problems(*texts, "#pragma once\ninline int* g = &b;\n")
        self.assertIn("filch/g.hpp does not compile alone", problem)

    def test_refuses_a_source_with_a_missing_include(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "src/a.cpp"
            source.parent.mkdir()
            source.write_text("#include <vector>\nstd::vector<int> a;\n")
            self.assertEqual(check_headers.check([source], source.parents[1]), [])
            source.write_text("std::vector<int> a;\n")
            (problem,) = check_headers.check([source], source.parents[1])
            self.assertIn("src/a.cpp does not compile alone", problem)

    def test_a_header_that_a_source_includes_first_is_compiled_with_it(self):
        for text, named in (("#pragma once\ninline std::vector<int> a;\n", "include/filch/a.hpp:2"),
                           ("struct a {};\n", "redefinition")):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder).resolve()
                header, source = root / "include/filch/a.hpp", root / "src/a.cpp"
                for path in (header, source):
                    path.parent.mkdir(parents=True)
                header.write_text(text)
                source.write_text('#include "filch/a.hpp"\n\n#include <vector>\n')
                (problem,) = check_headers.check([header, source], root)
                self.assertIn("src/a.cpp does not compile alone", problem)
                self.assertIn(named, problem)

    def test_refuses_a_header_that_cannot_be_included_twice(self):
        self.assertEqual(len(problems("struct a {};\n")), 1)

    def test_refuses_a_warning(self):
        self.assertEqual(len(problems("#pragma once\ninline int f(long a) { return a; }\n")), 1)

    def test_refuses_a_cast_that_changes_nothing(self):
        useless = "#pragma once\ninline int f(int a) { return static_cast<int>(a); }\n"
        self.assertIn("useless cast", problems(useless)[0])

    def test_sees_what_only_a_build_with_checks_needs(self):
        self.assertEqual(len(problems("#pragma once\n#if FILCH_CHECKS\n#error no\n#endif\n")), 1)


if __name__ == "__main__":
    unittest.main()

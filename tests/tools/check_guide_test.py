"""check_guide.py finds what docs/guide shows in the examples, and misses what is not there."""
import pathlib
import tempfile
import unittest

import check_guide

FILES = {
    "examples/a.cpp": "int main() {\n  const int s =\n      par(v).map(f).sum();\n  use(s);\n}\n",
    "include/filch/ranges/views.hpp": "FILCH_EACH_NAME(FILCH_ADAPTOR_VIEW, , map);\n#undef FILCH_ADAPTOR_VIEW\n",
}
ROW = "| name | example |\n|---|---|\n| `map(f)` | `{}` |\n"


def problems(page):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**FILES, "docs/guide/ranges.md": page}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check_guide.check(root)


class Guide(unittest.TestCase):
    def test_accepts_what_an_example_has_however_it_is_laid_out(self):
        self.assertEqual(problems(ROW.format("par(v).map(f).sum()")
                                  + "\n```cpp\nconst int s = par(v).map(f).sum();\nuse(s);\n```\n"), [])

    def test_refuses_code_in_a_table_that_no_example_has(self):
        self.assertIn("par(v).map(g)", problems(ROW.format("par(v).map(g)"))[0])

    def test_refuses_a_block_that_no_example_has(self):
        self.assertEqual(len(problems(ROW.format("use(s)") + "\n```cpp\nuse(t);\n```\n")), 1)

    def test_refuses_a_guide_without_a_row_for_an_adaptor(self):
        self.assertEqual(problems("nothing"), ["docs/guide: no row for map()"])


if __name__ == "__main__":
    unittest.main()

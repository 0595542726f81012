"""check_edges.py accepts what CONTRIBUTING.md describes, and can fail."""
import collections
import pathlib
import tempfile
import unittest

import check_edges


def problems(*texts):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, text in enumerate(texts):
            paths.append(pathlib.Path(folder) / f"{number}.hpp")
            paths[-1].write_text(text)
        return check_edges.check(paths)


class Accepts(unittest.TestCase):
    def test_an_edge_with_both_ends(self):
        self.assertEqual(problems(
            "a.store(1, std::memory_order_release);  // [publish]\n"
            "a.load(std::memory_order_acquire);  // [publish]\n"), [])

    def test_ends_in_two_files(self):
        self.assertEqual(problems("a.store(1, std::memory_order_release);  // [publish]\n",
                                  "a.load(std::memory_order::acquire);  // [publish]\n"), [])

    def test_a_reason(self):
        for reason in check_edges.REASONS:
            self.assertEqual(problems(f"a.load(std::memory_order_relaxed);  // {reason}: so\n"), [])

    def test_seq_cst_without_a_word(self):
        self.assertEqual(problems("a.load(std::memory_order_seq_cst);\na.load();\n"), [])

    def test_a_reason_on_any_line_of_the_call(self):
        self.assertEqual(problems(
            "if (!a.compare_exchange_strong(x, y,  // orders nothing: a counter\n"
            "                               std::memory_order_relaxed,\n"
            "                               std::memory_order_relaxed))\n"
            "  return;\n"), [])

    def test_an_order_named_in_a_comment_or_a_string(self):
        self.assertEqual(problems('// memory_order_relaxed\nf("memory_order_relaxed");\n'), [])


class Refuses(unittest.TestCase):
    def test_every_weak_order_without_a_word(self):
        for order in ("relaxed", "consume", "acquire", "release", "acq_rel"):
            for spelling in (f"memory_order_{order}", f"memory_order::{order}"):
                (problem,) = problems(f"\na.load(std::{spelling});\n")
                self.assertIn(":2: which edge?", problem)

    def test_a_comment_that_says_something_else(self):
        self.assertEqual(len(problems("a.load(std::memory_order_relaxed);  // fast, see x[i]\n")), 1)

    def test_a_reason_on_the_line_above_or_below(self):
        self.assertEqual(len(problems("// own value\na.load(std::memory_order_relaxed);\n")), 1)
        self.assertEqual(len(problems("a.load(std::memory_order_relaxed);\nf();  // own value\n")), 1)

    def test_a_fence(self):
        self.assertEqual(len(problems("std::atomic_thread_fence(std::memory_order_acquire);\n")), 1)

    def test_the_second_of_two_calls(self):
        self.assertEqual(len(problems("a.load(std::memory_order_relaxed);  // own value\n"
                                      "b.load(std::memory_order_relaxed);\n")), 1)

    def test_a_tag_with_one_end(self):
        (problem,) = problems("a.store(1, std::memory_order_release);  // [publish]\n")
        self.assertIn("[publish] has one end only", problem)

    def test_a_tag_whose_other_end_is_only_described(self):
        self.assertEqual(len(problems("/// [publish] store -> load\n"
                                      "a.store(1, std::memory_order_release);  // [publish]\n")), 1)


class Tags(unittest.TestCase):
    def test_are_counted_with_their_places(self):
        ends = collections.defaultdict(list)
        check_edges.check_file("f", "x;  // [dekker] [publish]\ny;  // [dekker]\n", ends)
        self.assertEqual(ends, {"dekker": ["f:1", "f:2"], "publish": ["f:1"]})


if __name__ == "__main__":
    unittest.main()

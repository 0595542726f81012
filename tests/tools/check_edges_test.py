"""check_edges.py accepts what CONTRIBUTING.md describes, and can fail."""
import pathlib
import tempfile
import unittest

import check_edges

EDGE = ("a.store(1, std::memory_order_release);  // [publish]\n"
        "a.load(std::memory_order_acquire);  // [publish]\n")


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
        for reason in ("own value", "orders nothing: so", "no other thread yet", "Own value"):
            self.assertEqual(problems(f"a.load(std::memory_order_relaxed);  // {reason}\n"), [])

    def test_an_order_under_an_edge(self):
        edge = EDGE + EDGE.replace("publish", "grow")
        for words in ("ordered by publish", "ordered by publish, grow", "ordered by grow [publish]",
                      "ordered by\n// publish"):
            self.assertEqual(problems(edge, f"a.load(std::memory_order_relaxed);  // {words}\n"), [],
                             words)

    def test_an_order_under_fences_that_the_file_has(self):
        line = "a.load(std::memory_order_relaxed);  // ordered by the fences\n"
        for fence in ("light_fence();", "heavy_fence();", "full_fence();",
                      '#include "filch/detail/sched/sleepers.hpp"'):
            self.assertEqual(problems(f"{fence}\n{line}"), [], fence)

    def test_an_edge_of_read_modify_writes(self):
        self.assertEqual(problems("a.fetch_sub(1, std::memory_order_acq_rel);  // [let-go]\n"), [])
        self.assertEqual(problems("a.exchange(1, std::memory_order_acquire);  // [turn]\n"
                                  "a.exchange(1, std::memory_order_release);  // [turn]\n"), [])

    def test_an_edge_of_fences(self):
        self.assertEqual(problems("std::atomic_thread_fence(std::memory_order_release);  // [f]\n"
                                  "std::atomic_thread_fence(std::memory_order_acquire);  // [f]\n"), [])

    def test_an_end_where_the_value_just_read_is_used(self):
        self.assertEqual(problems(
            "a.compare_exchange_strong(x, y, std::memory_order_release,  // [wait]\n"
            "                          std::memory_order_relaxed);       // value unused\n"
            "p = a.exchange(1, std::memory_order_acq_rel);  // orders nothing: well\n"
            "p->call();  // [wait]\n"), [])

    def test_a_compare_exchange_with_a_word_for_each_order(self):
        for line in (
                "a.compare_exchange_weak(x, y, std::memory_order_release,  // [publish]\n"
                "                        std::memory_order_relaxed);  // value unused\n",
                "a.compare_exchange_weak(x, y, std::memory_order_release,  // [publish]\n"
                "                        std::memory_order_acquire);  // [publish]\n",
                "a.compare_exchange_weak(x, y, std::memory_order_release, "
                "std::memory_order_relaxed);  // [publish] value unused\n",
                "a.compare_exchange_weak(x, y, std::memory_order_seq_cst, "
                "std::memory_order_relaxed);  // value unused\n"):
            self.assertEqual(problems(EDGE + line), [], line)

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

    def test_an_edge_that_no_line_writes_or_reads(self):
        load = "a.load(std::memory_order_acquire);  // [publish]\n"
        store = "a.store(1, std::memory_order_release);  // [publish]\n"
        acquire = "a.exchange(1, std::memory_order_acquire);  // [publish]\n"
        on_failure = ("a.compare_exchange_weak(x, y, std::memory_order_relaxed,  // own value\n"
                      "                        std::memory_order_acquire);  // [publish]\n")
        for text, missing in ((2 * load, "writes"), (2 * store, "reads"), (load + acquire, "writes"),
                              (load + on_failure, "writes")):
            (problem,) = problems(text)
            self.assertIn(f"nothing with that tag {missing}", problem)

    def test_a_tag_on_code_that_is_no_operation(self):
        self.assertEqual(len(problems("a.load(std::memory_order_acquire);  // [publish]\n"
                                      "int x = 0;  // so by [publish] it is seen\n"
                                      "f();\ng();  // [publish]\n")), 1)

    def test_words_that_only_look_like_a_reason(self):
        for words in ("disordered by publish", "known values", "reorders nothings", "no other threads",
                      "value unused"):
            self.assertEqual(len(problems(f"a.load(std::memory_order_relaxed);  // {words}\n")), 1,
                             words)

    def test_an_edge_that_does_not_exist(self):
        for words in ("nosuchedge", "publish, nosuchedge", "", "luck: mostly"):
            (problem,) = problems(EDGE, f"a.load(std::memory_order_relaxed);  // ordered by {words}\n")
            self.assertIn("ordered by", problem)

    def test_fences_that_are_not_there(self):
        (problem,) = problems("// light_fence()\n"
                              "a.load(std::memory_order_relaxed);  // ordered by the fences\n")
        self.assertIn("ordered by the fences: which?", problem)

    def test_an_order_with_another_name(self):
        for text in ("constexpr auto r = std::memory_order_relaxed;\na.store(1, r);\n",
                     "constexpr auto r{std::memory_order_relaxed};\n",
                     "constexpr auto r(std::memory_order_relaxed);\n",
                     "#define RELAXED std::memory_order_relaxed\n",
                     "void f(std::memory_order order);\n",
                     "using order = std::memory_order;\n",
                     "using enum std::memory_order;\n",
                     "a.store(1, std::memory_order(0));\n",
                     "a.store(1, std::memory_order{});\n",
                     "a.store(1, static_cast<std::memory_order>(0));\n",
                     "a.store(1, {});\n",
                     "a->load({});\n",
                     "a.store(f(std::memory_order_relaxed));\n",
                     "__atomic_store_n(&a, 1, 0);\n"):
            self.assertEqual(len(problems(text)), 1, text)

    def test_a_failure_order_without_a_word_of_its_own(self):
        for line in ("a.compare_exchange_weak(x, y, std::memory_order_release,  // [publish]\n"
                     "                        std::memory_order_relaxed);\n",
                     "a.compare_exchange_weak(x, y, std::memory_order_release, "
                     "std::memory_order_relaxed);  // [publish]\n",
                     "a.compare_exchange_weak(x, y, std::memory_order_seq_cst,  // [publish]\n"
                     "                        std::memory_order_relaxed);\n"):
            (problem,) = problems(EDGE + line)
            self.assertIn("which edge?", problem)

    def test_a_success_order_with_the_word_of_the_failure(self):
        self.assertEqual(len(problems(
            "a.compare_exchange_weak(x, y, std::memory_order_release,\n"
            "                        std::memory_order_relaxed);  // value unused\n")), 1)


if __name__ == "__main__":
    unittest.main()

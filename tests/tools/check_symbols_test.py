"""check_symbols.py accepts functions without constraints, and refuses those with one."""
import pathlib
import tempfile
import unittest

import check_symbols

EXTERN = "extern template int run(const fork&, int);\n"


def found(header, source=""):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in (("include/filch/detail/chain/a.hpp", header), ("src/chain/a.cpp", source)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return list(check_symbols.problems(root))


class Accepts(unittest.TestCase):
    def test_types_and_numbers_as_parameters(self):
        for head in ("<class Fork, class Result>", "<bool Stable, class... T>",
                     "<template <class...> class C, std::size_t N = 3>"):
            self.assertEqual(found(f"template {head}\nResult run(const Fork& f, Result r) {{}}\n" + EXTERN), [])

    def test_constraints_of_functions_that_programs_instantiate_themselves(self):
        self.assertEqual(found("template <fork_policy Fork>\nint walk(const Fork& f);\n" + EXTERN), [])
        self.assertEqual(found("template <fork_policy Fork>\nint run_ahead(const Fork& f);\n" + EXTERN), [])


class Refuses(unittest.TestCase):
    def test_a_concept_in_the_place_of_class(self):
        for head in ("<fork_policy Fork, class Result>", "<class Result, std::integral I>", "<callable<int> F>"):
            self.assertEqual(len(found(f"template {head}\n[[gnu::noinline]] int run(const F& f, int);\n" + EXTERN)), 1)

    def test_a_requires_clause_before_and_behind(self):
        self.assertEqual(len(found("template <class F>\nrequires fork<F> int run(const F& f, int);\n" + EXTERN)), 1)
        self.assertEqual(len(found("template <class F>\nint run(const F& f, int) requires fork<F>;\n" + EXTERN)), 1)

    def test_the_declaration_of_a_template_that_a_source_instantiates(self):
        self.assertEqual(len(found("template <number T>\nvoid sort(T* first);\n",
                                   "template <class T>\nvoid sort(T* first) {}\ntemplate void sort(int*);\n")), 1)

    def test_a_class(self):
        self.assertEqual(len(found("extern template class list<int>;\n")), 1)


if __name__ == "__main__":
    unittest.main()

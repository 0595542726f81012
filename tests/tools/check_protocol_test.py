"""check_protocol.py accepts members of the table that are asked for in protocol.hpp, and no others."""
import pathlib
import tempfile
import unittest

import check_protocol
import sources

TABLE = """///   of a source          what it says or does     default    access point
///   gives_away           items are moved out      false      gives_away
///   walk(i, j, folder)   feeds the folder         take()     feed_each
///
///   of a folder
///   take_all(get, i, j)  takes many               take()     feed_each, takes_all
namespace filch::plumbing {
///   size()   returns the number of positions
"""
POINTS = """template <class S>
inline constexpr bool gives_away = requires { requires S::gives_away; };
template <class F>
concept takes_all = requires(F& f, int (&get)(int)) { f.take_all(get, 0, 0); };
void feed_each();
"""


def found(chain="", points=POINTS):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in ((check_protocol.HEADER, TABLE + points),
                           ("include/filch/detail/chain/a.hpp", chain)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return list(check_protocol.problems(root))


class Accepts(unittest.TestCase):
    def test_access_points_and_what_is_asked_of_values(self):
        for chain in ("if constexpr (plumbing::gives_away<Base>) f();",
                      "void f() requires(plumbing::gives_away<Base>) { base_.get(0); }",
                      "void f() requires plumbing::fillable<Next> { next_.full(); }",
                      "concept row = requires(C& c, std::size_t n) { c.resize(n); };",
                      "// if constexpr (requires { source.walk(i, j, folder); })"):
            self.assertEqual(found(chain), [], chain)

    def test_a_member_that_every_part_must_have(self):
        self.assertEqual(found(points=POINTS + "concept s = requires(const S& s) { s.size(); };"), [])

    def test_the_project(self):
        self.assertEqual(list(check_protocol.problems(sources.ROOT)), [])


class Refuses(unittest.TestCase):
    def refuse(self, problems, said):
        (problem,) = problems
        self.assertIn(said, problem)

    def test_a_member_of_the_table_that_is_asked_for_elsewhere(self):
        for chain in ("if constexpr (requires { s.walk(i, j, f); }) s.walk(i, j, f);",
                      "concept a = requires(T& t) { t.take_all(0, 0, 0); };",
                      "constexpr bool b = requires { requires S::gives_away; };"):
            self.refuse(found(chain), "use its access point")

    def test_a_member_that_is_in_no_table(self):
        for chain in ("if constexpr (requires { next_.sprint(); }) next_.sprint();",
                      "concept a = requires(const Source& s) { s.sprint(); };"):
            self.refuse(found(chain), "add the member to the table")
        self.refuse(found(points=POINTS + "concept a = requires(S& s) { s.sprint(); };"), "`sprint`")

    def test_a_function_that_is_found_by_its_arguments(self):
        self.refuse(found("concept a = requires(R&& r) { par_source(static_cast<R&&>(r)); };"), "`par_source`")

    def test_an_access_point_that_is_not_there(self):
        self.refuse(found(points=POINTS.replace("feed_each", "other")), "`feed_each`")


if __name__ == "__main__":
    unittest.main()

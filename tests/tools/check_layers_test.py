"""check_layers.py accepts arrows that point down, and no others."""
import pathlib
import tempfile
import unittest

import check_layers


def problems(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_layers.Checker(pathlib.Path(folder)).run()


def one(name, include):
    return problems({name: f"#include {include}\n"})


class Accepts(unittest.TestCase):
    def test_arrows_that_point_down_or_stay(self):
        for name, include in (
                ("include/filch/deque.hpp", "filch/detail/base/atomic.hpp"),
                ("include/filch/deque.hpp", "filch/detail/queue/ring.hpp"),
                ("include/filch/detail/sched/worker.hpp", "filch/deque.hpp"),
                ("include/filch/detail/sched/worker.hpp", "filch/detail/sched/job.hpp"),
                ("include/filch/algorithm/sort.hpp", "filch/join.hpp"),
                ("include/filch/algorithm/sort.hpp", "filch/detail/kernel/sort.hpp"),
                ("include/filch/detail/chain/tree.hpp", "filch/detail/kernel/walk.hpp"),
                ("include/filch/detail/chain/map.hpp", "filch/detail/base/public_types.hpp"),
                ("include/filch/plumbing.hpp", "filch/detail/chain/protocol.hpp"),
                ("include/filch/detail/kernel/sort.hpp", "filch/detail/loop/range.hpp"),
                ("include/filch/ranges/map.hpp", "filch/algorithm.hpp"),
                ("include/filch/filch.hpp", "filch/ranges.hpp"),
                ("src/base/futex_linux.cpp", "filch/detail/base/futex.hpp"),
                ("src/sched/worker.cpp", "filch/detail/queue/injector.hpp"),
                ("src/observe/trace.cpp", "filch/pool.hpp"),
                ("examples/sort.cpp", "filch/algorithm.hpp")):
            self.assertEqual(one(name, f'"{include}"'), [], f"{name} -> {include}")

    def test_standard_headers_everywhere_and_system_headers_at_the_bottom(self):
        self.assertEqual(one("include/filch/pool.hpp", "<vector>"), [])
        self.assertEqual(one("include/filch/detail/base/cpu_relax.hpp", "<sched.h>"), [])
        self.assertEqual(one("src/sched/worker.cpp", "<sched.h>"), [])
        self.assertEqual(one("src/sched/worker.cpp", "<boost/asio.hpp>"), [])

    def test_an_include_in_a_comment(self):
        self.assertEqual(problems({"include/filch/deque.hpp": '//\n/*\n#include "filch/pool.hpp"\n*/'}),
                         [])

    def test_an_include_in_a_string(self):
        self.assertEqual(problems({"src/version.cpp": 'f(R"(\n#include "filch/pool.hpp"\n)");\n'}), [])

    def test_the_seam_of_the_model_checker(self):
        self.assertEqual(one("include/filch/detail/base/atomic.hpp", "FILCH_MODEL_SEAM  // a macro"), [])


    def test_a_public_header_with_some_glue_behind_its_interface(self):
        glue = "namespace detail {\nclass b;\n}  // namespace detail\n"
        self.assertEqual(problems({"include/filch/pool.hpp": f"namespace filch {{\n\nclass a;\n{glue}}}\n"}),
                         [])
        self.assertEqual(problems({"include/filch/detail/base/a.hpp": f"namespace filch {{\n{glue}}}\n"}), [])


def path_of(length, first="include/filch/detail/base/h0.hpp"):
    """Headers of which each includes the next one."""
    names = [first, *(f"include/filch/detail/base/h{i}.hpp" for i in range(1, length))]
    texts = [f'#include "{name.removeprefix("include/")}"\n' for name in names[1:]] + [""]
    return dict(zip(names, texts))


class Limits(unittest.TestCase):
    def test_the_depth_of_includes(self):
        self.assertEqual(problems(path_of(check_layers.DEPTH)), [])
        (problem,) = problems(path_of(check_layers.DEPTH + 1))
        self.assertIn("longest include path has 19 headers; at most 18", problem)

    def test_what_an_average_header_includes(self):
        base = [f"filch/detail/base/b{i}.hpp" for i in range(30)]
        files = {f"include/{b}": "" for b in base}
        files |= {f"include/filch/detail/queue/q{i}.hpp": "".join(f'#include "{b}"\n' for b in base)
                  for i in range(60)}
        self.assertEqual(problems(files), [])
        (problem,) = problems(files | {"include/filch/detail/queue/q.hpp": files[
            "include/filch/detail/queue/q0.hpp"]})
        self.assertIn("includes 20.11 others on average; at most 20", problem)

    def test_what_parallel_for_includes(self):
        name = "include/filch/algorithm/parallel_for.hpp"
        others = [f"filch/detail/base/b{i}.hpp" for i in range(31)]
        files = {f"include/{b}": "" for b in others}
        for most, count in ((30, 0), (31, 1)):
            files[name] = "".join(f'#include "{b}"\n' for b in others[:most])
            self.assertEqual(len(problems(files)), count)


class Refuses(unittest.TestCase):
    def test_a_public_header_that_opens_with_details(self):
        for opening in ("namespace filch {\n\nnamespace detail {", "namespace filch::detail {",
                        "#define A\nnamespace filch {\n// A comment.\nnamespace detail {"):
            (problem,) = problems({"include/filch/algorithm/a.hpp": f"{opening}\nclass b;\n}}\n"})
            self.assertIn("opens with its interface", problem)

    def test_a_public_header_with_more_than_a_screen_of_details(self):
        lines = "".join(f"class b{i};\n" for i in range(check_layers.SCREEN))
        (problem,) = problems({"include/filch/pool.hpp":
                               f"namespace filch {{\nclass a;\nnamespace detail {{\n{lines}}}\n}}\n"})
        self.assertIn("lines of namespace detail", problem)

    def test_a_kernel_that_includes_the_algorithm(self):
        self.refuse("include/filch/detail/kernel/sort.hpp", '"filch/algorithm/sort.hpp"', "lies above it")

    def refuse(self, name, include, said):
        (problem,) = one(name, include)
        self.assertIn(said, problem)
        self.assertIn(f"{name}:1", problem)

    def test_arrows_that_point_up(self):
        for name, include in (
                ("include/filch/detail/base/rng.hpp", "filch/detail/queue/ring.hpp"),
                ("include/filch/detail/queue/ring.hpp", "filch/detail/sched/job.hpp"),
                ("include/filch/detail/sched/job.hpp", "filch/pool.hpp"),
                ("include/filch/join.hpp", "filch/detail/loop/splitter.hpp"),
                ("include/filch/algorithm/sort.hpp", "filch/ranges/map.hpp"),
                ("include/filch/ranges/map.hpp", "filch/filch.hpp"),
                ("src/base/futex_linux.cpp", "filch/deque.hpp"),
                ("src/sched/worker.cpp", "filch/trace.hpp")):
            self.refuse(name, f'"{include}"', "which lies above it")

    def test_units_that_may_know_less(self):
        self.refuse("include/filch/deque.hpp", '"filch/version.hpp"', "may include only")
        self.refuse("include/filch/algorithm/sort.hpp", '"filch/deque.hpp"', "may include only")
        self.refuse("include/filch/algorithm.hpp", "<filch/detail/sched/job.hpp>", "may include only")

    def test_a_chain_that_includes_a_public_header(self):
        for name in ("algorithm/sort.hpp", "algorithm.hpp", "plumbing.hpp", "ranges/par_range.hpp"):
            self.refuse("include/filch/detail/chain/map.hpp", f'"filch/{name}"', "which lies above it")
        for name in ("pool.hpp", "join.hpp", "deque.hpp", "options.hpp", "expected.hpp", "subrange.hpp"):
            self.refuse("include/filch/detail/chain/map.hpp", f'"filch/{name}"', "may include only")

    def test_a_folder_it_does_not_know(self):
        self.refuse("include/filch/detail/magic/a.hpp", '"filch/deque.hpp"', "is in no layer")
        self.refuse("src/magic/a.cpp", '"filch/deque.hpp"', "is in no layer")

    def test_foreign_and_system_headers(self):
        self.refuse("include/filch/pool.hpp", "<linux/futex.h>", "not of the standard library")
        self.refuse("include/filch/pool.hpp", "<boost/asio.hpp>", "not of the standard library")

    def test_a_short_path(self):
        self.refuse("include/filch/pool.hpp", '"join.hpp"', "in full")
        self.refuse("src/base/futex_linux.cpp", '"../pool.hpp"', "without")
        self.refuse("src/base/futex_linux.cpp", '"pool.hpp"', "in full")
        self.refuse("examples/a.cpp", '"common.hpp"', "in full")

    def test_a_path_with_detours(self):
        for path in ("filch/detail/base/../../deque.hpp", "filch/./deque.hpp", "filch//deque.hpp",
                     "../include/filch/deque.hpp", "/filch/deque.hpp"):
            self.refuse("include/filch/detail/base/rng.hpp", f'"{path}"', "without")
        self.refuse("examples/a.cpp", '"../include/filch/detail/base/rng.hpp"', "without")

    def test_includes_in_disguise(self):
        for text in ('/* x */ #include "filch/pool.hpp"\n', '#/* x */include "filch/pool.hpp"\n',
                     '#include/* x */"filch/pool.hpp"\n', '#include \\\n"filch/pool.hpp"\n',
                     '#inc\\\nlude "filch/pool.hpp"\n', '%:include "filch/pool.hpp"\n',
                     '#include_next <filch/pool.hpp>\n', 'import <filch/pool.hpp>;\n'):
            (problem,) = problems({"include/filch/deque.hpp": text})
            self.assertIn("deque.hpp:1: deque may not include pool", problem, text)

    def test_computed_includes(self):
        for name, include in (("include/filch/pool.hpp", "HEADER"),
                              ("include/filch/pool.hpp", "FILCH_MODEL_SEAM"),
                              ("src/base/futex_linux.cpp", "FILCH_MODEL_SEAM"),
                              ("include/filch/detail/base/rng.hpp", "FILCH_OTHER_SEAM"),
                              ("include/filch/pool.hpp", "<filch//join.hpp>")):
            self.refuse(name, include, "computed")
        (problem,) = problems({"include/filch/deque.hpp":
                               '\n#define FILCH_MODEL_SEAM "filch/pool.hpp"\n'})
        self.assertIn("deque.hpp:2: only the model checker", problem)

    def test_private_headers_in_an_example(self):
        self.refuse("examples/a.cpp", '"filch/detail/base/rng.hpp"', "not public")

    def test_a_cycle(self):
        (problem,) = problems({"include/filch/join.hpp": '#include "filch/scope.hpp"\n',
                               "include/filch/scope.hpp": '#include "filch/join.hpp"\n'})
        self.assertIn("include cycle: filch/join.hpp -> filch/scope.hpp -> filch/join.hpp", problem)


if __name__ == "__main__":
    unittest.main()

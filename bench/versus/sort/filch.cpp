#include "runtime/filch.hpp"

#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  bench::page<bench::on_filch> page;
  sorting::add_unstable(
      page, [](auto& v) { filch::sort(v); }, [](auto& v, auto less) { filch::sort(v, less); });
  sorting::add_stable(
      page, [](auto& v) { filch::stable_sort(v); },
      [](auto& v, auto less) { filch::stable_sort(v, less); });
  return page.run(argc, argv);
}

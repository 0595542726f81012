#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  bench::page<bench::on_onetbb> page;
  sorting::add_unstable(
      page, [](auto& v) { tbb::parallel_sort(v.begin(), v.end()); },
      [](auto& v, auto less) { tbb::parallel_sort(v.begin(), v.end(), less); });
  return page.run(argc, argv);
}

#include "runtime/std_par.hpp"

#include <algorithm>
#include <execution>

#include "problem.hpp"

int main(int argc, char** argv) {
  using std::execution::par;
  bench::page<bench::on_std_par> page;
  sorting::add_unstable(
      page, [](auto& v) { std::sort(par, v.begin(), v.end()); },
      [](auto& v, auto less) { std::sort(par, v.begin(), v.end(), less); });
  sorting::add_stable(
      page, [](auto& v) { std::stable_sort(par, v.begin(), v.end()); },
      [](auto& v, auto less) { std::stable_sort(par, v.begin(), v.end(), less); });
  return page.run(argc, argv);
}

#include "runtime/serial.hpp"

#include <algorithm>

#include "problem.hpp"

int main(int argc, char** argv) {
  bench::page<bench::on_serial> page;
  sorting::add_unstable(
      page, [](auto& v) { std::sort(v.begin(), v.end()); },
      [](auto& v, auto less) { std::sort(v.begin(), v.end(), less); });
  sorting::add_stable(
      page, [](auto& v) { std::stable_sort(v.begin(), v.end()); },
      [](auto& v, auto less) { std::stable_sort(v.begin(), v.end(), less); });
  return page.run(argc, argv);
}

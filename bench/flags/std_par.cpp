#include "runtime/std_par.hpp"

#include <execution>
#include <numeric>

#include "rows.hpp"

int main(int argc, char** argv) {
  using runtime = bench::on_std_par;
  return flags::page_of<runtime, flags::scan>([](runtime&, flags::scan& row) {
           std::inclusive_scan(std::execution::par, row.in.begin(), row.in.end(), row.out.begin());
         })
      .run(argc, argv);
}

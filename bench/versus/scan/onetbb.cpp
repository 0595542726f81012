#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>

#include <functional>

#include "problem.hpp"

namespace {

void scan_of(const int* from, int* to, int n) {
  tbb::parallel_scan(
      tbb::blocked_range<int>(0, n), 0,
      [=](const tbb::blocked_range<int>& r, int sum, bool is_final) {
        for (int i = r.begin(); i != r.end(); ++i) {
          sum += from[i];
          if (is_final) to[i] = sum;
        }
        return sum;
      },
      std::plus<>());
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed_on<scan::input>(scan::problem,
                             [](scan::input& in) {
                               for (int p = 0; p < scan::passes; ++p)
                                 scan_of(in.numbers.data(), in.sums.data(), in.size());
                             })
      .run(argc, argv);
}

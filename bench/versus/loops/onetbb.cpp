#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "problem.hpp"

namespace {

std::uint64_t sum(bench::on_onetbb&, const loops::loop& l) {
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, l.items), std::uint64_t{0},
      [&](const tbb::blocked_range<int>& r, std::uint64_t so_far) {
        return so_far + l.work({r.begin(), r.end()});
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

}  // namespace

int main(int argc, char** argv) { return loops::page_of<bench::on_onetbb>(sum).run(argc, argv); }

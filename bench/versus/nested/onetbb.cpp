#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>
#include <numeric>

#include "problem.hpp"

namespace {

using bench::on_onetbb;

/// Returns the sum of `value(i)` for the numbers i below n.
std::int64_t sum_of(std::size_t n, auto value) {
  using range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      range(0, n), std::int64_t{0},
      [&](const range& r, std::int64_t so_far) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) so_far += value(i);
        return so_far;
      },
      std::plus<>());
}
std::int64_t sum(const nested::items& in) {
  return sum_of(in.size(), [&](std::size_t i) { return in[i]; });
}

struct by_loops {
  static std::int64_t of_chunks(on_onetbb&, const nested::items& in) {
    return sum_of(in.size() / nested::chunk, [&](std::size_t i) {
      return nested::largest(std::span(in).subspan(i * nested::chunk, nested::chunk));
    });
  }
  static std::int64_t of_halves(on_onetbb&, const nested::items& a, const nested::items& b) {
    std::int64_t of_a = 0;
    std::int64_t of_b = 0;
    tbb::parallel_invoke([&] { of_a = sum(a); }, [&] { of_b = sum(b); });
    return of_a + of_b;
  }
  static std::int64_t of_vectors(on_onetbb&, const nested::vectors& in) {
    return sum_of(in.size(), [&](std::size_t i) {
      return std::accumulate(in[i].begin(), in[i].end(), std::int64_t{0});
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return nested::page_of<on_onetbb, by_loops>().run(argc, argv); }

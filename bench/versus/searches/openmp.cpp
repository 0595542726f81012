#include "runtime/openmp.hpp"

#include <algorithm>
#include <atomic>

#include "problem.hpp"

namespace {

using runtime = bench::outside<bench::on_openmp>;
using items = std::vector<std::int32_t>;

constexpr std::size_t block = 8192;

/// Returns the position of an item that satisfies `pred`, or in.size(). It looks for one in a block
/// only after a loop without a way out has found that there is one.
std::size_t find_any([[maybe_unused]] int workers, const items& in, auto pred) {
  const std::int32_t* const data = in.data();
  const std::size_t n = in.size();
  std::atomic<std::size_t> found = n;
#pragma omp parallel for num_threads(workers) schedule(static)
  for (std::size_t b = 0; b < (n + block - 1) / block; ++b) {
    if (found.load(std::memory_order_relaxed) != n) continue;  // orders nothing: a hint
    const std::int32_t* const first = data + b * block;
    const std::int32_t* const last = data + std::min(n, (b + 1) * block);
    bool some = false;
    for (const std::int32_t* x = first; x != last; ++x) some |= pred(*x);
    if (some) found = static_cast<std::size_t>(std::find_if(first, last, pred) - data);
  }
  return found;
}

struct best {
  std::int32_t key;
  std::int32_t item;
};
best better(best a, best b) { return b.key < a.key ? b : a; }

struct by_hand {
  static std::int64_t sum(const runtime& openmp, const items& in) {
    const int workers = openmp.workers();
    const std::int32_t* const data = in.data();
    const std::size_t n = in.size();
    std::int64_t sum = 0;
#pragma omp parallel for simd num_threads(workers) reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += data[i];
    return sum;
  }
  static bool all(const runtime& openmp, const items& in) {
    return find_any(openmp.workers(), in, searches::is_out_of_bounds) == in.size();
  }
  static bool any(const runtime& openmp, const items& in) {
    return find_any(openmp.workers(), in, searches::is_out_of_bounds) != in.size();
  }
  static std::size_t count(const runtime& openmp, const items& in) {
    const int workers = openmp.workers();
    const std::int32_t* const data = in.data();
    const std::size_t n = in.size();
    std::size_t count = 0;
#pragma omp parallel for simd num_threads(workers) reduction(+ : count)
    for (std::size_t i = 0; i < n; ++i) count += searches::is_large(data[i]) ? 1 : 0;
    return count;
  }
  static std::int32_t min_by_key(const runtime& openmp, const items& in) {
    const int workers = openmp.workers();
    const std::int32_t* const data = in.data();
    const std::size_t n = in.size();
    best found{searches::key(in[0]), in[0]};
#pragma omp declare reduction(best_of:best                         \
                              : omp_out = better(omp_out, omp_in)) \
    initializer(omp_priv = omp_orig)
#pragma omp parallel for num_threads(workers) reduction(best_of : found)
    for (std::size_t i = 0; i < n; ++i) found = better(found, {searches::key(data[i]), data[i]});
    return found.item;
  }
  static std::size_t position(const runtime& openmp, const items& in) {
    return find_any(openmp.workers(), in, searches::is_wanted);
  }
};

}  // namespace

int main(int argc, char** argv) { return searches::page_of<runtime, by_hand>().run(argc, argv); }

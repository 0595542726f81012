#include "runtime/openmp.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "problem.hpp"

namespace {

void map_filter_sum(const bench::on_openmp& openmp, ranges::map_filter_sum_input& i) {
  const int workers = openmp.workers();
  const double* const in = i.in.data();
  const std::size_t n = i.in.size();
  double sum = 0;
#pragma omp parallel for simd num_threads(workers) reduction(+ : sum)
  for (std::size_t k = 0; k < n; ++k) {
    const double y = ranges::square_plus_one(in[k]);
    sum += ranges::is_wanted(y) ? y : 0.0;
  }
  i.sum = sum;
}

/// A std::vector must have its elements before threads can write to them: it sets them to 0 first.
void map_to_vector(const bench::on_openmp& openmp, ranges::map_input& i) {
  const int workers = openmp.workers();
  const double* const in = i.in.data();
  const std::size_t n = i.in.size();
  i.out.resize(n);
  double* const out = i.out.data();
#pragma omp parallel for simd num_threads(workers)
  for (std::size_t k = 0; k < n; ++k) out[k] = ranges::three_x_plus_one(in[k]);
}

/// Each thread has one range: it counts, waits until all have counted, and copies.
void filter_to_vector(const bench::on_openmp& openmp, ranges::filter_input& i) {
  const int workers = openmp.workers();
  std::vector<std::size_t> before(static_cast<std::size_t>(workers) + 1);
#pragma omp parallel num_threads(workers)
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    const auto all = static_cast<std::size_t>(workers);
    const double* const first = i.in.data() + i.in.size() * me / all;
    const double* const last = i.in.data() + i.in.size() * (me + 1) / all;
    before[me + 1] = static_cast<std::size_t>(std::count_if(first, last, ranges::is_small));
#pragma omp barrier
#pragma omp single
    {
      for (std::size_t t = 0; t < all; ++t) before[t + 1] += before[t];
      i.out.resize(before.back());
    }
    // Without a branch: writes every element, and advances if it is one to keep. The last kept
    // element is copied separately, because the position behind it belongs to the next thread.
    const double* end = last;
    while (end != first && !ranges::is_small(end[-1])) --end;
    if (end != first) {
      double* out = i.out.data() + before[me];
      for (const double* x = first; x != end - 1; ++x) {
        *out = *x;
        out += ranges::is_small(*x) ? 1 : 0;
      }
      *out = end[-1];
    }
  }
}

/// Searches the range in blocks, in order, and skips blocks behind what was found.
std::optional<std::int64_t> find([[maybe_unused]] int workers, const std::vector<std::int64_t>& in,
                                 const auto& pred) {
  constexpr std::size_t block = 1024;
  const std::size_t n = in.size();
  std::atomic<std::size_t> found = n;
#pragma omp parallel for num_threads(workers) schedule(dynamic)
  for (std::size_t b = 0; b < (n + block - 1) / block; ++b) {
    if (b * block > found.load(std::memory_order_relaxed)) continue;  // orders nothing: a hint
    const std::size_t end = std::min(n, (b + 1) * block);
    for (std::size_t k = b * block; k < end; ++k)
      if (pred(in[k])) {
        std::size_t best = found.load();
        while (k < best && !found.compare_exchange_weak(best, k)) {
        }
        break;
      }
  }
  return found == n ? std::nullopt : std::optional(in[found]);
}

void dot(const bench::on_openmp& openmp, ranges::dot_input& i) {
  const int workers = openmp.workers();
  const double* const x = i.x.data();
  const double* const y = i.y.data();
  const std::size_t n = i.x.size();
  double sum = 0;
#pragma omp parallel for simd num_threads(workers) reduction(+ : sum)
  for (std::size_t k = 0; k < n; ++k) sum += x[k] * y[k];
  i.sum = sum;
}

void flat_map(const bench::on_openmp& openmp, ranges::flat_input& i) {
  const int workers = openmp.workers();
  std::uint64_t sum = 0;
#pragma omp parallel for num_threads(workers) schedule(dynamic, 16) reduction(+ : sum)
  for (std::size_t k = 0; k < i.lengths.size(); ++k) sum += i.sum_of(i.lengths[k]);
  i.sum = sum;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::outside<bench::on_openmp>>()
      .timed_on<ranges::map_filter_sum_input>(ranges::map_filter_sum, map_filter_sum)
      .timed_on<ranges::map_input>(ranges::map_to_vector, map_to_vector)
      .timed_on<ranges::filter_input>(ranges::filter_to_vector, filter_to_vector)
      .timed_on<ranges::search_input>(
          ranges::find_first,
          [](const bench::on_openmp& openmp, ranges::search_input& i) {
            i.run([&](auto pred) { return find(openmp.workers(), i.in, pred); });
          })
      .timed_on<ranges::dot_input>(ranges::dot, dot)
      .timed_on<ranges::flat_input>(ranges::flat_map, flat_map)
      .run(argc, argv);
}

#include "runtime/openmp.hpp"

#include <omp.h>

#include "problem.hpp"

namespace {

/// Each thread has one range: it counts, waits until all have counted, and copies.
void copy_even(const bench::on_openmp& openmp, picking::numbers& n) {
  const int workers = openmp.workers();
  std::vector<std::size_t> before(static_cast<std::size_t>(workers) + 1);
#pragma omp parallel num_threads(workers)
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    const auto all = static_cast<std::size_t>(workers);
    const std::uint32_t* const first = n.in.data() + n.in.size() * me / all;
    const std::uint32_t* const last = n.in.data() + n.in.size() * (me + 1) / all;
    before[me + 1] = picking::count_even(first, last);
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 0; t < all; ++t) before[t + 1] += before[t];
    // The last kept element is copied separately, because the position behind it belongs to the
    // next thread.
    const std::uint32_t* end = last;
    while (end != first && !picking::is_even(end[-1])) --end;
    if (end != first) {
      std::uint32_t* const out = picking::copy_even(first, end - 1, n.out.data() + before[me]);
      *out = end[-1];
    }
  }
  n.copied = before.back();
}

void count_bytes(const bench::on_openmp& openmp, picking::bytes& b) {
  const int workers = openmp.workers();
  std::size_t* const counts = b.counts.data();
  const std::size_t n = b.in.size();
#pragma omp parallel for num_threads(workers) reduction(+ : counts[:256])
  for (std::size_t i = 0; i < n; ++i) ++counts[b.in[i]];
}

/// Each thread fills a table; then all tables are added to the first.
void count_words(const bench::on_openmp& openmp, picking::text& t) {
  const int workers = openmp.workers();
  picking::word_table total;
#pragma omp parallel num_threads(workers)
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    const auto all = static_cast<std::size_t>(workers);
    picking::word_table mine;
    picking::count_words(t.in, t.in.size() * me / all, t.in.size() * (me + 1) / all, mine);
#pragma omp critical
    {
      if (total.empty())
        total.swap(mine);
      else
        for (const auto& [word, times] : mine) total[word] += times;
    }
  }
  t.found.assign(total.begin(), total.end());
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::outside<bench::on_openmp>>()
      .timed_on<picking::numbers>(picking::copy_if, copy_even)
      .timed_on<picking::bytes>(picking::histogram, count_bytes)
      .timed_on<picking::text>(picking::word_count, count_words)
      .run(argc, argv);
}

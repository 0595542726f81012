#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/combinable.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_scan.h>

#include "problem.hpp"

namespace {

using range = tbb::blocked_range<std::size_t>;

/// A scan of how many elements are kept; its final pass copies.
void copy_even(picking::numbers& n) {
  n.copied = tbb::parallel_scan(
      range(0, n.in.size()), std::size_t{0},
      [&](const range& r, std::size_t before, bool final) {
        const std::uint32_t* const in = n.in.data();
        if (!final) return before + picking::count_even(in + r.begin(), in + r.end());
        for (std::size_t i = r.begin(); i != r.end(); ++i)
          if (picking::is_even(in[i])) n.out[before++] = in[i];
        return before;
      },
      [](std::size_t a, std::size_t b) { return a + b; });
}

void count_bytes(picking::bytes& b) {
  tbb::combinable<picking::table> tables([] { return picking::table{}; });
  tbb::parallel_for(range(0, b.in.size()), [&](const range& r) {
    picking::table& mine = tables.local();
    for (std::size_t i = r.begin(); i != r.end(); ++i) ++mine[b.in[i]];
  });
  tables.combine_each([&](const picking::table& one) {
    for (std::size_t k = 0; k < one.size(); ++k) b.counts[k] += one[k];
  });
}

void count_words(picking::text& t) {
  tbb::combinable<picking::word_table> tables;
  tbb::parallel_for(range(0, t.in.size(), 4096), [&](const range& r) {
    picking::count_words(t.in, r.begin(), r.end(), tables.local());
  });
  picking::word_table total;
  tables.combine_each([&](picking::word_table& one) {
    if (total.empty())
      total.swap(one);
    else
      for (const auto& [word, times] : one) total[word] += times;
  });
  t.found.assign(total.begin(), total.end());
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed_on<picking::numbers>(picking::copy_if, copy_even)
      .timed_on<picking::bytes>(picking::histogram, count_bytes)
      .timed_on<picking::text>(picking::word_count, count_words)
      .run(argc, argv);
}

#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "problem.hpp"

namespace {

using bench::on_onetbb;
using items = std::vector<std::int32_t>;
using range = tbb::blocked_range<std::size_t>;

/// Returns the position of an item that satisfies `pred`, or in.size(); it cancels the loop.
std::size_t find_any(const items& in, auto pred) {
  std::atomic<std::size_t> found = in.size();
  tbb::task_group_context context;
  tbb::parallel_for(
      range(0, in.size(), 8192),
      [&](const range& r) {
        const std::int32_t* const last = in.data() + r.end();
        const std::int32_t* const hit = std::find_if(in.data() + r.begin(), last, pred);
        if (hit == last) return;
        found = static_cast<std::size_t>(hit - in.data());
        context.cancel_group_execution();
      },
      context);
  return found;
}

struct best {
  std::int32_t key;
  std::int32_t item;
};
best better(best a, best b) { return b.key < a.key ? b : a; }

/// Returns the fold of what `value` makes of each item.
template <class T>
T fold(const items& in, T first, auto value, auto combine) {
  return tbb::parallel_reduce(
      range(0, in.size()), first,
      [&](const range& r, T so_far) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) so_far = combine(so_far, value(in[i]));
        return so_far;
      },
      combine);
}

struct by_loops {
  static std::int64_t sum(on_onetbb&, const items& in) {
    return fold(
        in, std::int64_t{0}, [](std::int32_t x) { return std::int64_t{x}; }, std::plus<>());
  }
  static bool all(on_onetbb&, const items& in) {
    return find_any(in, searches::is_out_of_bounds) == in.size();
  }
  static bool any(on_onetbb&, const items& in) {
    return find_any(in, searches::is_out_of_bounds) != in.size();
  }
  static std::size_t count(on_onetbb&, const items& in) {
    const auto one = [](std::int32_t x) -> std::size_t { return searches::is_large(x) ? 1 : 0; };
    return fold(in, std::size_t{0}, one, std::plus<>());
  }
  static std::int32_t min_by_key(on_onetbb&, const items& in) {
    const auto with_key = [](std::int32_t x) { return best{searches::key(x), x}; };
    return fold(in, with_key(in[0]), with_key, better).item;
  }
  static std::size_t position(on_onetbb&, const items& in) {
    return find_any(in, searches::is_wanted);
  }
};

}  // namespace

int main(int argc, char** argv) { return searches::page_of<on_onetbb, by_loops>().run(argc, argv); }

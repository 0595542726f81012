#include "filch/detail/kernel/by_key.hpp"

#include <algorithm>

namespace filch::detail {

namespace {

/// The cost of one caller's blocks says nothing about another caller's.
struct fork_without_cost_history : parallel_fork {
  static constexpr bool keeps_cost_history = false;
};

}  // namespace

void run_large_blocks(const even_blocks& blocks, const options& o,
                      call_ref<std::size_t, std::size_t, std::size_t> body) {
  detail::for_each_block(fork_without_cost_history(), blocks, o, body);
}

void sort_by_position(found_key* keys, std::size_t n) {
  std::sort(keys, keys + n,
            [](const found_key& x, const found_key& y) { return x.first < y.first; });
}

}  // namespace filch::detail

#include "filch/detail/loop/large_blocks.hpp"

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

}  // namespace filch::detail

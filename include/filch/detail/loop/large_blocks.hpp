// Blocks with so much work that an indirect call for each does not matter.
#pragma once

#include "filch/detail/loop/blocks.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"

namespace filch::detail {

/// for_each_block() on the real fork. It is not a template because one algorithm with three such
/// loops takes more than a second to compile as templates.
void run_large_blocks(const even_blocks& blocks, const options& o,
                      call_ref<std::size_t, std::size_t, std::size_t> body);

/// for_each_block(), compiled once for all bodies.
template <fork_policy Fork, std::invocable<std::size_t, std::size_t, std::size_t> Body>
void for_each_large_block(const Fork& fork, const even_blocks& blocks, const options& o,
                          Body&& body) {
  if constexpr (std::same_as<Fork, parallel_fork> && !tells_tsan)
    detail::run_large_blocks(blocks, o, call_ref<std::size_t, std::size_t, std::size_t>(body));
  else
    detail::for_each_block(fork, blocks, o, body);
}

}  // namespace filch::detail

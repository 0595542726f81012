// Memory for the tasks that one participant spawns.
#pragma once

#include <cstddef>

#include "filch/detail/sched/block_cache.hpp"

namespace filch::detail {

/// A cache of blocks for each size of task. Owner only, unless block_cache says otherwise.
class task_memory {
 public:
  static constexpr std::size_t largest_block = 128;

  /// Blocks for tasks of `Size` bytes, at most `largest_block`.
  template <std::size_t Size>
  auto& blocks() noexcept {
    if constexpr (Size <= 32)
      return small_;
    else if constexpr (Size <= 64)
      return medium_;
    else
      return large_;
  }

 private:
  block_cache<32> small_;
  block_cache<64> medium_;
  block_cache<largest_block> large_;
};

}  // namespace filch::detail

// The loops in filch, with stealing on and off.
#pragma once

#include <atomic>
#include <cstddef>

#include "filch/scope.hpp"
#include "loops/problem.hpp"
#include "runtime/filch.hpp"

namespace loops {

/// Every worker spawns its share, block by block, into its own deque.
inline std::uint64_t sum_dealt(bench::on_filch& filch, const loop& l) {
  filch::pool& pool = filch.pool();
  std::atomic<std::uint64_t> sum{0};
  pool.broadcast([&](std::size_t me) {
    filch::scope s;
    for_blocks(l.dealt_to(static_cast<int>(me), static_cast<int>(pool.size())),
               [&](range block) { s.spawn([&, block] { sum += l.work(block); }); });
    s.wait();
  });
  pool.wait_idle();
  return sum;
}

}  // namespace loops

// Waits until a pool has nothing to do.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "filch/metrics.hpp"
#include "filch/pool.hpp"
#include "support/eventually.hpp"

namespace filch::test {

/// Waits until `is_so` holds for every worker, given what it did in the last millisecond and the
/// exact length of that time. Totals alone do not show the present state: one worker may have slept
/// twice.
template <class F>
void until_for_a_while(const pool& p, F is_so) {
  until([&] {
    const metrics before = p.metrics();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const metrics lately = p.metrics() - before;
    return std::all_of(lately.workers.begin(), lately.workers.end(),
                       [&](const worker_metrics& w) { return is_so(w, lately.elapsed_ns); });
  });
}

/// Waits until every worker sleeps all the time.
inline void until_asleep(const pool& p) {
  until_for_a_while(
      p, [](const worker_metrics& w, std::uint64_t elapsed) { return w.sleep_ns == elapsed; });
}

/// Waits until no worker has anything to do.
inline void until_out_of_work(const pool& p) {
  until_for_a_while(p, [](const worker_metrics& w, std::uint64_t) { return w.busy_ns == 0; });
}

}  // namespace filch::test

// A thread that takes samples of pools at intervals, and sleeps while they sleep.
#pragma once

#include "filch/detail/base/config.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "filch/detail/base/process.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/detail/sched/auto_reset_event.hpp"
#include "filch/load_monitor.hpp"

namespace filch::detail {

class registry;

/// The current state of `home`, without time and number. Any thread that does not take part in the
/// pool. Throws `std::bad_alloc`.
seen_load sample_of(const registry& home);

class sampler {
 public:
  struct work {
    std::function<void()> sample;  ///< Takes one sample. Must not throw.
    /// The pools that keep the sampler awake. It is called when all of them might be asleep.
    /// Without this function the sampler never sleeps for longer than an interval.
    std::function<std::vector<std::shared_ptr<registry>>()> pools;
  };

  /// Throws `std::system_error` if the thread cannot be started.
  sampler(const std::string& name, std::chrono::nanoseconds interval, work what);
  sampler(const sampler&) = delete;
  sampler& operator=(const sampler&) = delete;
  /// Waits for a sample that is being taken. Must not run on the sampler's own thread.
  ~sampler();

  /// There may be a new pool. Any thread.
  void tell() noexcept { woken_.set(); }
  /// Is the calling thread the sampler's?
  bool is_here() const noexcept;

 private:
  void run() noexcept;
  bool doze();

  std::chrono::nanoseconds interval_;
  work work_;
  auto_reset_event woken_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> thread_id_{0};
  os_thread thread_;
};

}  // namespace filch::detail

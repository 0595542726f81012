// A thread that looks at pools at intervals, and sleeps while they sleep.
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
#include "filch/detail/sched/bell.hpp"
#include "filch/load_monitor.hpp"

namespace filch::detail {

class registry;

/// When the next sample is due after one that was due at `due` and has been taken at `now`: at the
/// next multiple of the interval that lies ahead. Those that were missed are not made up for,
/// whatever the clock did.
std::chrono::steady_clock::time_point next_due(std::chrono::steady_clock::time_point due,
                                               std::chrono::steady_clock::time_point now,
                                               std::chrono::nanoseconds interval) noexcept;

/// What `home` looks like now; all but time and number. Any thread that does not take part. Throws
/// `std::bad_alloc`.
seen_load sample_of(const registry& home);

class sampler {
 public:
  struct work {
    std::function<void()> sample;  ///< Takes one. Must not throw.
    /// The pools whose sleep is the sampler's: asked when all of them might be asleep.
    std::function<std::vector<std::shared_ptr<registry>>()> pools;
  };

  /// Throws `std::system_error` if the thread cannot be started.
  sampler(const std::string& name, std::chrono::nanoseconds interval, work what);
  sampler(const sampler&) = delete;
  sampler& operator=(const sampler&) = delete;
  /// Waits for a sample that is being taken. Not on the sampler's own thread.
  ~sampler();

  /// Something is new: there may be another pool. Any thread.
  void tell() noexcept { bell_.ring(); }
  /// Is the calling thread the sampler's?
  bool is_here() const noexcept;

 private:
  void run() noexcept;
  bool doze();

  std::chrono::nanoseconds interval_;
  work work_;
  bell bell_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> thread_id_{0};
  os_thread thread_;
};

}  // namespace filch::detail

// Makes chosen creations of threads fail, as on a system without resources.
//
// Link the test to filch_test_thread_failures, which stands between libfilch and pthread_create().
// The test's own std::threads are not affected, because the C++ library creates them.
#pragma once

#include <cstddef>

namespace filch::test {

/// How many threads libfilch has tried to create so far. Any thread.
std::size_t thread_creations() noexcept;

/// While it lives, creation number `k` from now (1 is the next), by any thread, and the `count` - 1
/// after it, fail with `error` (0 means EAGAIN). There may be one object at a time.
class fail_thread_creation {
 public:
  static constexpr std::size_t for_ever = static_cast<std::size_t>(-1);

  explicit fail_thread_creation(std::size_t k, std::size_t count = 1, int error = 0) noexcept;
  fail_thread_creation(const fail_thread_creation&) = delete;
  fail_thread_creation& operator=(const fail_thread_creation&) = delete;
  ~fail_thread_creation();

  /// How many creations have failed so far. 0 means that `k` was never reached. Any thread.
  [[nodiscard]] std::size_t seen() const noexcept;
};

}  // namespace filch::test

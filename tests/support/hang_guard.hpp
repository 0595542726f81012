// Ends a test that hangs. In a program that includes this, every test has the guard.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/pool.hpp"
#include "support/watchdog.hpp"

namespace filch::test {

/// A watchdog for each test. After two minutes it names the test, dumps the pools given to watch(),
/// and aborts. (No test takes seconds, but a sanitizer on a busy machine is slow.)
class hang_guard : public testing::EmptyTestEventListener {
 public:
  static hang_guard& instance() {
    static auto* const one = [] {
      auto* guard = new hang_guard;
      testing::UnitTest::GetInstance()->listeners().Append(guard);  // deletes it
      return guard;
    }();
    return *one;
  }

  void watch(const pool& p) {
    const std::scoped_lock lock(mutex_);
    pools_.push_back(p.core());
  }

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    dog_.emplace(
        std::chrono::minutes(2), [] { return std::uint64_t{0}; },
        [this, &test](std::ostream& out) {
          out << test.test_suite_name() << "." << test.name() << " hangs\n";
          const std::scoped_lock lock(mutex_);
          for (const auto& p : pools_) detail::dump(*p, out);
        });
  }
  void OnTestEnd(const testing::TestInfo&) override {
    dog_.reset();
    pools_.clear();
  }

  std::optional<watchdog> dog_;
  std::mutex mutex_;  // guards pools_
  std::vector<std::shared_ptr<detail::registry>> pools_;
};

inline const bool hang_guard_is_on = (hang_guard::instance(), true);

/// Dumps `p` if the test hangs. The pool may end before the test does.
inline void watch(const pool& p) { hang_guard::instance().watch(p); }

}  // namespace filch::test

// Counts that one thread adds up and any thread may read.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

/// A count with one writer: no read-modify-write, so it costs what a plain counter costs.
class tally {
 public:
  /// The one writer only.
  void add(std::uint64_t n = 1) noexcept {
    const std::uint64_t before = value_.load(std::memory_order_relaxed);  // own value
    value_.store(before + n, std::memory_order_relaxed);                  // orders nothing: a count
  }
  /// Any thread.
  std::uint64_t read() const noexcept {
    return value_.load(std::memory_order_relaxed);  // orders nothing: a count
  }

 private:
  atomic<std::uint64_t> value_{0};
};

}  // namespace filch::detail

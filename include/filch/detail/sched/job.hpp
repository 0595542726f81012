// What the scheduler moves around: pointers to something that runs once.
#pragma once

#include "filch/detail/base/module.hpp"
#include "filch/detail/base/sanitizer.hpp"

namespace filch::detail {

/// Something that runs once. Only its entry function knows what follows it in memory (a closure, a
/// result, a latch). So a job of any kind is one pointer in a deque.
///
/// A thread that has run a job must not touch it afterwards: it may have been on the stack of a
/// thread that waited for it, or have deleted itself.
class job {
 public:
  using entry = void (*)(job&) noexcept;

  explicit constexpr job(entry what) noexcept : run_(what) {}
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  void run() noexcept { run_(*this); }

  /// For ThreadSanitizer: header code calls given() before it gives the job to the library. The
  /// entry calls taken() first, and has a sanitizer_seen.
  void given() const noexcept { tsan_release(this); }
  void taken() const noexcept { tsan_acquire(this); }

 protected:
  ~job() = default;
  void replace_entry(entry what) noexcept { run_ = what; }

 private:
  entry run_;
};

}  // namespace filch::detail

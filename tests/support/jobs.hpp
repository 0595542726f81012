// Jobs and branches for tests that play participants by hand.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "filch/detail/sched/branch_share.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/listed_job.hpp"

namespace filch::test {

/// Counts how often it ran, and calls `body`, if there is any.
class test_job final : public detail::listed_job {
 public:
  explicit test_job(std::function<void()> body = {})
      : listed_job(&test_job::entry), body_(std::move(body)) {}
  int runs = 0;

 private:
  static void entry(detail::job& self) noexcept {
    auto& own = static_cast<test_job&>(self);
    ++own.runs;
    if (own.body_) own.body_();
  }
  std::function<void()> body_;
};

/// Links jobs by `next`, in their order.
inline void link(std::span<test_job> jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i)
    jobs[i].next = i + 1 < jobs.size() ? &jobs[i + 1] : nullptr;
}

/// The calling thread's stack of branches is open, in the slot of a participant, for as long as
/// this lives.
class open_branches {
 public:
  explicit open_branches(detail::branch_share& of) : of_(of) { of_.open(); }
  open_branches(const open_branches&) = delete;
  open_branches& operator=(const open_branches&) = delete;
  ~open_branches() { of_.close(); }

 private:
  detail::branch_share& of_;
};

/// A branch of the calling thread, from its push until this ends. It does nothing.
class pushed_branch {
 public:
  pushed_branch() : slot_(detail::my_branches.next()) {
    slot_->become([](detail::job&) noexcept {});
    is_silent_ = detail::my_branches.push(slot_);
    if (!is_silent_) (void)detail::my_branches.answer(slot_);
  }
  pushed_branch(const pushed_branch&) = delete;
  pushed_branch& operator=(const pushed_branch&) = delete;
  ~pushed_branch() {
    if (!detail::my_branches.pop(slot_) && !detail::my_branches.take_back(slot_))
      detail::my_branches.release(slot_);
  }

  detail::branch_slot* slot() const { return slot_; }
  /// Did the push need no answer?
  bool is_silent() const { return is_silent_; }

 private:
  detail::branch_slot* slot_;
  bool is_silent_;
};

}  // namespace filch::test

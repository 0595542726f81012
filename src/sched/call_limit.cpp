#include "filch/detail/sched/call_limit.hpp"

#include "filch/detail/base/cpu_relax.hpp"

namespace filch::detail {

call_limit::~call_limit() {
  const auto all_have_left = [this] {
    const std::scoped_lock lock(mutex_);
    return free_ == others_;
  };
  while (!all_have_left()) yield();  // they are about to
}

bool call_limit::enter_with(job* j) {
  const std::scoped_lock lock(mutex_);
  if (free_ == 0) {
    waiting_.push_back(j);
    return false;
  }
  --free_;
  return true;
}

job* call_limit::next_or_leave() noexcept {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty()) {
    ++free_;
    return nullptr;
  }
  job* const next = waiting_.back();
  waiting_.pop_back();
  return next;
}

job* call_limit::take() noexcept {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty()) return nullptr;
  job* const next = waiting_.back();
  waiting_.pop_back();
  return next;
}

bool call_limit::has_jobs() noexcept {
  const std::scoped_lock lock(mutex_);
  return !waiting_.empty();
}

}  // namespace filch::detail

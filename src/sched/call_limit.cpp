#include "filch/detail/sched/call_limit.hpp"

#include <utility>

namespace filch::detail {

namespace {

constinit std::mutex unused_mutex;
constinit call_limit* unused = nullptr;

}  // namespace

call_limit& call_limit::borrow() {
  const std::scoped_lock lock(unused_mutex);
  if (unused == nullptr) return *new call_limit;
  return *std::exchange(unused, unused->next_unused_);
}

call_limit::call::call(std::size_t threads) : limit_(borrow()) {
  const std::scoped_lock lock(limit_.mutex_);
  limit_.free_ = threads - 1;
}

call_limit::call::~call() {
  {
    const std::scoped_lock lock(limit_.mutex_);
    limit_.number_ = (limit_.number_ + 1) % numbers;
  }
  const std::scoped_lock lock(unused_mutex);
  limit_.next_unused_ = std::exchange(unused, &limit_);
}

region call_limit::call::where(bool isolated) const noexcept {
  const region address = reinterpret_cast<std::uintptr_t>(&limit_);
  return address | limit_.number_ * number_unit | limited_bit | (isolated ? 0 : call_bit);
}

call_limit::entry call_limit::enter_with(region r, job* j) {
  const std::scoped_lock lock(mutex_);
  if (is_over(r)) return entry::ended;
  if (free_ == 0) {
    waiting_.push_back(j);
    return entry::waits;
  }
  --free_;
  return entry::enters;
}

job* call_limit::next_or_leave(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  if (is_over(r)) return nullptr;
  job* const next = pop();
  if (next == nullptr) ++free_;
  return next;
}

job* call_limit::take(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  return is_over(r) ? nullptr : pop();
}

bool call_limit::has_jobs(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  return !is_over(r) && !waiting_.empty();
}

/// Under mutex_.
job* call_limit::pop() noexcept {
  if (waiting_.empty()) return nullptr;
  job* const next = waiting_.back();
  waiting_.pop_back();
  return next;
}

}  // namespace filch::detail

#include "filch/detail/sched/call_limit.hpp"

#include <memory>
#include <new>
#include <utility>

#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

constinit std::mutex unused_mutex;
constinit call_limit* unused = nullptr;
constinit call_limit* of_parent = nullptr;  // for leak checkers

}  // namespace

void forget_call_limits() noexcept {
  std::construct_at(&unused_mutex);
  of_parent = std::exchange(unused, nullptr);
}

call_limit& call_limit::borrow() {
  const std::scoped_lock lock(unused_mutex);
  if (unused != nullptr) return *std::exchange(unused, unused->next_unused_);
  auto made = std::unique_ptr<call_limit>(new call_limit);
  const auto address = reinterpret_cast<std::uintptr_t>(made.get()) / cache_line_size;
  if (address >= number_unit) throw std::bad_alloc();  // it does not fit into a region
  return *made.release();
}

call_limit::call::call(std::size_t threads) : limit_(borrow()) {
  const std::scoped_lock lock(limit_.mutex_);
  limit_.free_ = threads - 1;
}

call_limit::call::~call() {
  listed_job* left = nullptr;
  {
    const std::scoped_lock lock(limit_.mutex_);
    limit_.number_ = (limit_.number_ + 1) % numbers;
    left = std::exchange(limit_.waiting_, nullptr);
  }
  {
    const std::scoped_lock lock(unused_mutex);
    limit_.next_unused_ = std::exchange(unused, &limit_);
  }
  while (left != nullptr) {
    auto& j = static_cast<waiting_job&>(*std::exchange(left, left->next));
    j.home.accepts.inject(&j);
  }
}

void call_limit::waiting_job::entry(job& self) noexcept {
  job* const what = std::unique_ptr<waiting_job>(&static_cast<waiting_job&>(self))->what;
  worker::current()->run({what});
}

void call_limit::call::caller_stays_out() noexcept {
  const std::scoped_lock lock(limit_.mutex_);
  ++limit_.free_;
}

region call_limit::call::where(bool isolated) const noexcept {
  const region address = reinterpret_cast<std::uintptr_t>(&limit_) / cache_line_size;
  return address | limit_.number_ * number_unit | limited_bit | (isolated ? 0 : call_bit);
}

call_limit::entry call_limit::enter_with(region r, job* j, registry& home) {
  const std::scoped_lock lock(mutex_);
  if (is_over(r)) return entry::ended;
  if (free_ == 0) {
    auto waiting = std::make_unique<waiting_job>(j, home);
    waiting->next = waiting_;
    waiting_ = waiting.release();
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
  return !is_over(r) && waiting_ != nullptr;
}

/// Under mutex_.
job* call_limit::pop() noexcept {
  if (waiting_ == nullptr) return nullptr;
  auto* const newest = static_cast<waiting_job*>(std::exchange(waiting_, waiting_->next));
  return std::unique_ptr<waiting_job>(newest)->what;
}

}  // namespace filch::detail

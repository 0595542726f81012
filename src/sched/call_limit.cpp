#include "filch/detail/sched/call_limit.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

constinit std::mutex unused_mutex;
constinit call_limit* unused = nullptr;
constinit call_limit* of_parent = nullptr;  // for leak checkers
constinit std::uint64_t made = 0;           // under unused_mutex

}  // namespace

void forget_call_limits() noexcept {
  std::construct_at(&unused_mutex);
  of_parent = std::exchange(unused, nullptr);
}

constinit call_limit* call_limit::objects[most_objects];

call_limit& call_limit::borrow() {
  const std::scoped_lock lock(unused_mutex);
  if (unused != nullptr) return *std::exchange(unused, unused->next_unused_);
  if (made == most_objects) throw std::bad_alloc();
  auto* const fresh = new call_limit(made);
  objects[made++] = fresh;
  return *fresh;
}

call_limit::call::call(std::size_t threads) : call(threads - 1, no_region) {
  const region here = region_here();
  const std::scoped_lock lock(limit_.mutex_);
  if (is_limited(here)) limit_.made_in_ = here;
}

call_limit::call::call(std::size_t threads, region around) : limit_(borrow()) {
  const std::scoped_lock lock(limit_.mutex_);
  limit_.free_ = threads;
  limit_.around_ = around;
  limit_.made_in_ = is_limited(around) ? around : no_region;
}

call_limit::call::~call() {
  if (!born_.is_here()) return;
  waiting_job* left = nullptr;
  {
    const std::scoped_lock lock(limit_.mutex_);
    limit_.number_ = (limit_.number_ + 1) % calls;
    left = std::exchange(limit_.waiting_, nullptr);
  }
  {
    const std::scoped_lock lock(unused_mutex);
    limit_.next_unused_ = std::exchange(unused, &limit_);
  }
  while (left != nullptr) {
    waiting_job& j = *std::exchange(left, left->older);
    j.home.accepts.inject(&j);
  }
}

void call_limit::call::set_around(region around) noexcept {
  const std::scoped_lock lock(limit_.mutex_);
  limit_.around_ = around;
}

void call_limit::waiting_job::entry(job& self) noexcept {
  const found_job what = std::unique_ptr<waiting_job>(&static_cast<waiting_job&>(self))->what;
  worker::current()->run({what.what});
}

region call_limit::call::where(bool isolated) const noexcept {
  return limit_.object_ | limit_.number_ * most_objects | limited_bit | (isolated ? 0 : call_bit);
}

region call_limit::isolated_inside(region r) noexcept {
  static std::atomic<region> next{0};
  const region number = next.fetch_add(1, std::memory_order_relaxed);  // orders nothing
  return call_of(r) | (number % (isolates - 1) + 1) * isolated_unit | limited_bit;
}

region call_limit::limited_around(region r) noexcept {
  if (!is_limited(r)) return no_region;
  call_limit& limit = object(r);
  region around = no_region;
  {
    const std::scoped_lock lock(limit.mutex_);
    if (!limit.has_ended(r)) around = limit.made_in_;
  }
  return around == no_region || is_over(around) ? no_region : around;
}

bool call_limit::is_within(region inside, region r) noexcept {
  for (; is_limited(inside); inside = limited_around(inside))
    if (call_of(inside) == call_of(r)) return true;
  return false;
}

bool call_limit::is_over(region r) noexcept {
  call_limit& limit = object(r);
  const std::scoped_lock lock(limit.mutex_);
  return limit.has_ended(r);
}

call_limit::entry call_limit::enter_with(region r, job* j, registry& home) {
  {
    const std::scoped_lock lock(mutex_);
    if (has_ended(r)) return entry::ended;
    if (free_ != 0) {
      --free_;
      return entry::enters;
    }
    add(r, j, home);
  }
  return entry::waits;
}

bool call_limit::enter(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  if (has_ended(r) || free_ == 0) return false;
  --free_;
  return true;
}

call_limit::entry call_limit::leave_job(region r, job* j, registry& home) {
  const std::scoped_lock lock(mutex_);
  if (has_ended(r)) return entry::ended;
  add(r, j, home);
  return entry::waits;
}

/// Under mutex_.
void call_limit::add(region r, job* j, registry& home) {
  auto waiting = std::make_unique<waiting_job>(found_job{j, r}, home);
  waiting->older = waiting_;
  waiting_ = waiting.release();
}

found_job call_limit::next_or_leave(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  if (has_ended(r)) return {};
  if (waiting_ != nullptr) return unlink(waiting_);
  ++free_;
  return {};
}

found_job call_limit::take(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  if (has_ended(r)) return {};
  waiting_job** const at = find(r);
  return *at != nullptr ? unlink(*at) : found_job{};
}

region call_limit::around_of(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  return has_ended(r) || !is_call_itself(r) ? no_region : around_;
}

bool call_limit::has_jobs(region r) noexcept {
  const std::scoped_lock lock(mutex_);
  return !has_ended(r) && *find(r) != nullptr;
}

/// The newest job that a thread may run that waits in region `r`. Under mutex_.
call_limit::waiting_job** call_limit::find(region r) noexcept {
  waiting_job** at = &waiting_;
  while (*at != nullptr && !serves(r, (*at)->what.where)) at = &(*at)->older;
  return at;
}

/// Under mutex_.
found_job call_limit::unlink(waiting_job*& at) noexcept {
  const std::unique_ptr<waiting_job> found(at);
  at = found->older;
  return found->what;
}

}  // namespace filch::detail

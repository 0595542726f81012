#include "filch/detail/sched/spare_threads.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

bool spare_threads::begin_blocking(without_spare choice, bool counted) noexcept {
  const std::scoped_lock lock(mutex_);
  const std::size_t more = counted ? 0 : 1;
  if (!can_replace(more)) {
    if (choice == without_spare::go_on) return false;
    if (standbys_ != nullptr) recall(standbys_);
  }
  count_blocked(static_cast<std::int64_t>(more));
  return true;
}

void spare_threads::end_blocking() noexcept {
  const std::scoped_lock lock(mutex_);
  count_blocked(-1);
}

bool spare_threads::begin_standby(standby& s) noexcept {
  const std::scoped_lock lock(mutex_);
  if (s.who.has_job_in_inbox() || !can_replace(s.counts)) return false;
  s.next = std::exchange(standbys_, &s);
  count_blocked(static_cast<std::int64_t>(s.counts));
  return true;
}

bool spare_threads::end_standby(standby& s) noexcept {
  const std::scoped_lock lock(mutex_);
  if (s.recalled) return true;
  standby** at = &standbys_;
  while (*at != &s) at = &(*at)->next;
  *at = s.next;
  count_blocked(-static_cast<std::int64_t>(s.counts));
  return false;
}

/// Is there a spare for each blocked worker and for `more`? Calls one if need be. Under mutex_.
bool spare_threads::can_replace(std::size_t more) { return at_work_ >= blocked_ + more || call(); }

/// Takes a standby off the list: it is not blocked any more, though it does not know yet. Under
/// mutex_.
void spare_threads::recall(standby*& entry) noexcept {
  standby& s = *std::exchange(entry, entry->next);
  s.recalled = true;
  s.who.away.standby_parker().unpark();
  count_blocked(-static_cast<std::int64_t>(s.counts));
}

void spare_threads::recall_for_inbox_jobs() noexcept {
  const std::scoped_lock lock(mutex_);
  for (standby** at = &standbys_; *at != nullptr;) {
    if ((*at)->who.has_job_in_inbox())
      recall(*at);
    else
      at = &(*at)->next;
  }
}

/// Under mutex_.
void spare_threads::count_blocked(std::int64_t more) noexcept {
  blocked_ += static_cast<std::size_t>(more);
  surplus_.fetch_sub(more, std::memory_order_relaxed);  // orders nothing: under mutex_
}

/// Sets one more spare to work: one that rests, or a new one. False if neither is possible.
/// Under mutex_.
bool spare_threads::call() {
  if (home_.stopped()) return false;
  if (!resting_.empty()) {
    resting_.pop_back();
    woken_.notify_all();
  } else if (!start_another()) {
    return false;
  }
  ++at_work_;
  surplus_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: under mutex_
  return true;
}

/// Under mutex_.
bool spare_threads::start_another() {
  if (started_ == home_.settings().max_spares) return false;
  try {
    resting_.reserve(started_ + 1);  // so that begin_rest() cannot throw
    if (next_slot_ == nullptr) next_slot_ = &home_.participants.add(home_, participant_kind::spare);
    next_slot_->tasks.open();  // its start counts as a task, as that of a worker does
    try {
      home_.threads.start(*next_slot_);
      next_slot_ = nullptr;
    } catch (...) {
      next_slot_->tasks.close();
      throw;
    }
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
  ++started_;
  return true;
}

bool spare_threads::begin_rest(const worker& spare) noexcept {
  const std::scoped_lock lock(mutex_);
  if (at_work_ <= blocked_) return false;
  --at_work_;
  surplus_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: under mutex_
  resting_.push_back(&spare);
  return true;
}

bool spare_threads::rest_until_woken(const worker& spare) noexcept {
  std::unique_lock lock(mutex_);
  const auto is_woken = [&] {
    return std::find(resting_.begin(), resting_.end(), &spare) == resting_.end();
  };
  woken_.wait(lock, [&] { return is_woken() || home_.stopped(); });
  return !home_.stopped();
}

void spare_threads::stop() noexcept {
  const std::scoped_lock lock(mutex_);  // a spare that looked before the stop waits by now
  woken_.notify_all();
}

}  // namespace filch::detail

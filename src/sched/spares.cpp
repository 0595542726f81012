// Threads that stand in for blocked workers.
#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

bool registry::begin_blocking(without_spare choice, bool counted) noexcept {
  const std::scoped_lock lock(mutex_);
  const std::size_t more = counted ? 0 : 1;
  if (!can_be_replaced(more)) {
    if (choice == without_spare::go_on) return false;
    if (reserves_ != nullptr) recall(reserves_);
  }
  count_blocked(static_cast<std::int64_t>(more));
  return true;
}

void registry::end_blocking() noexcept {
  const std::scoped_lock lock(mutex_);
  count_blocked(-1);
}

bool registry::begin_reserve(reserve& r) noexcept {
  const std::scoped_lock lock(mutex_);
  if (r.who.has_mail() || !can_be_replaced(r.counts)) return false;
  r.next = std::exchange(reserves_, &r);
  count_blocked(static_cast<std::int64_t>(r.counts));
  return true;
}

bool registry::end_reserve(reserve& r) noexcept {
  const std::scoped_lock lock(mutex_);
  if (r.recalled) return true;
  reserve** at = &reserves_;
  while (*at != &r) at = &(*at)->next;
  *at = r.next;
  count_blocked(-static_cast<std::int64_t>(r.counts));
  return false;
}

/// Is there a spare for each blocked worker and for `more`? Calls one if need be. Under mutex_.
bool registry::can_be_replaced(std::size_t more) {
  return spares_at_work_ >= blocked_ + more || call_spare();
}

/// Takes it off the list: it is not blocked any more, though it does not know yet. Under mutex_.
void registry::recall(reserve*& entry) noexcept {
  reserve& r = *std::exchange(entry, entry->next);
  r.recalled = true;
  r.who.reserve_bed().call();
  count_blocked(-static_cast<std::int64_t>(r.counts));
}

void registry::recall_those_with_mail() noexcept {
  const std::scoped_lock lock(mutex_);
  for (reserve** at = &reserves_; *at != nullptr;) {
    if ((*at)->who.has_mail())
      recall(*at);
    else
      at = &(*at)->next;
  }
}

/// Under mutex_.
void registry::count_blocked(std::int64_t more) noexcept {
  blocked_ += static_cast<std::size_t>(more);
  surplus_.fetch_sub(more, std::memory_order_relaxed);  // orders nothing: under mutex_
}

/// One that rests, or a new one. False if there is none to be had. Under mutex_.
bool registry::call_spare() {
  if (stopped()) return false;
  if (!resting_spares_.empty()) {
    resting_spares_.pop_back();
    spare_is_called_.notify_all();
  } else {
    if (spares_ == settings_.max_spares) return false;
    try {
      threads_.reserve(threads_.size() + 1);
      resting_spares_.reserve(spares_ + 1);  // so that begin_rest() cannot throw
      if (place_of_next_spare_ == nullptr)
        place_of_next_spare_ = &add_participant(place_kind::spare);
      place_of_next_spare_->tasks.open();  // its start, as in the constructor
      try {
        threads_.push_back(start_thread(place_of_next_spare_->index(), std::nullopt));
        place_of_next_spare_ = nullptr;
      } catch (...) {
        place_of_next_spare_->tasks.close();
        throw;
      }
    } catch (const std::system_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
    ++spares_;
  }
  ++spares_at_work_;
  surplus_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: under mutex_
  return true;
}

bool registry::begin_rest(const worker& spare) noexcept {
  const std::scoped_lock lock(mutex_);
  if (spares_at_work_ <= blocked_) return false;
  --spares_at_work_;
  surplus_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: under mutex_
  resting_spares_.push_back(&spare);
  return true;
}

/// False if the pool has stopped.
bool registry::rest_until_called(const worker& spare) noexcept {
  std::unique_lock lock(mutex_);
  const auto called = [&] {
    return std::find(resting_spares_.begin(), resting_spares_.end(), &spare) ==
           resting_spares_.end();
  };
  spare_is_called_.wait(lock, [&] { return called() || stopped(); });
  return !stopped();
}

}  // namespace filch::detail

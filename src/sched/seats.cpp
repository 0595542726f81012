#include "filch/detail/sched/seats.hpp"

#include <cstdint>
#include <utility>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/idle_detector.hpp"
#include "filch/detail/sched/outside_queues.hpp"
#include "filch/detail/sched/region.hpp"
#include "filch/detail/sched/roster.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "filch/detail/sched/waker.hpp"

namespace filch::detail {

void seats::take() noexcept { wakes_.sleeping().take_seats(1); }

void seats::give_back(worker& by) noexcept {
  if (wakes_.sleeping().give_seats_back(1) == sleepers::freed::nothing) return;
  look_after_some_are_free(&by);
}

/// Its own call has no work any more. Without a note, only another guest can have some. A guest
/// that comes later finds the seat free, and wakes a sleeper itself: so it looks for guests only
/// now.
void seats::give_back_after_call(worker& guest, const idle_detector& guests) noexcept {
  const sleepers::freed what = wakes_.sleeping().give_seats_back(1);
  if (what == sleepers::freed::noted_seat ||
      (what == sleepers::freed::seat && guests.has_several_guests()))
    look_after_some_are_free(&guest);
}

void seats::set_count(std::size_t count) {
  const std::scoped_lock lock(mutex_);
  const std::size_t before = std::exchange(count_, count);
  if (count < before)
    wakes_.sleeping().take_seats(static_cast<std::uint32_t>(before - count));
  else if (wakes_.sleeping().give_seats_back(static_cast<std::uint32_t>(count - before)) !=
           sleepers::freed::nothing)
    look_after_some_are_free(nullptr);
}

/// Threads sleep although there may be work: it was published while no seat was free.
void seats::look_after_some_are_free(worker* by) noexcept {
  heavy_fence();
  all_.ask_for_branches(by == nullptr);
  wake_for_work(by);
}

void seats::wake_for_work(worker* by) noexcept {
  if (!wakes_.sleeping().any_to_notify(false)) return;
  if (queues_.has_work() && wakes_.wake_one_if_seat(by, no_region)) return;
  wakes_.wake_one_that_can_steal(by);
}

}  // namespace filch::detail

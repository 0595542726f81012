// The seats of a pool: as many participants are awake at a time.
#pragma once

#include <cstddef>
#include <mutex>

namespace filch::detail {

class idle_detector;
class outside_queues;
class roster;
class waker;
class worker;

/// The seats of a pool, for participants that do not sleep in idle_sleep. Who gives a seat back
/// looks whether a sleeper should have it. The count of free seats is in `sleepers`, in one word
/// with the count of sleepers. src/sched/guests.md says more.
class seats {
 public:
  /// There are `count` seats, and all of them are free.
  seats(const roster& all, waker& wakes, const outside_queues& queues, std::size_t count) noexcept
      : all_(all), wakes_(wakes), queues_(queues), count_(count) {}
  seats(const seats&) = delete;
  seats& operator=(const seats&) = delete;

  /// The calling thread has a seat from now on, whether or not one is free.
  void take() noexcept;
  /// The thread in slot `by` does not run for a while: gives its seat back, and wakes a sleeper if
  /// there is work.
  void give_back(worker& by) noexcept;
  /// The same for a guest, whose call has ended, and which still counts among `guests`. If there
  /// are more of them, these may have work for a sleeper.
  void give_back_after_call(worker& guest, const idle_detector& guests) noexcept;
  /// From now on there are `count` seats, at least one and at most as many as workers. Any thread.
  void set_count(std::size_t count);
  /// If there is work and a seat for a sleeper, wakes one. `by` is the calling thread's slot, or
  /// null. Any thread.
  void wake_for_work(worker* by) noexcept;

 private:
  void look_after_some_are_free(worker* by) noexcept;

  const roster& all_;
  waker& wakes_;
  const outside_queues& queues_;
  std::mutex mutex_;
  std::size_t count_;  // under mutex_
};

}  // namespace filch::detail

// The participants of a pool, as thieves see them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/sched/participant.hpp"

namespace filch::detail {

class registry;
class worker;

/// Every participant that a pool ever had: first its workers, then spares and guests in the order
/// in which they came. It grows and never shrinks. A guest that leaves makes its slot free for the
/// next guest.
///
/// Edge
///   [join]  add() stores table_ and size_ -> readers load them   the participant is complete
class roster {
 public:
  /// `workers` is the number of workers that will be added first.
  roster(std::size_t workers, std::size_t max_guests) noexcept;
  roster(const roster&) = delete;
  roster& operator=(const roster&) = delete;
  ~roster();

  /// Any thread.
  std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }  // [join]
  /// Participant `i`, which is below size(). Any thread.
  worker& operator[](std::size_t i) const noexcept {
    const table* const t = table_.load(std::memory_order_acquire);  // [join]
    return *t->entries[i].load(std::memory_order_relaxed);          // ordered by join
  }

  /// Asks every participant for branches. Any thread; one that takes no part in the pool passes
  /// true.
  void ask_for_branches(bool outsider = false) const noexcept;

  /// The participants that there are now. Any thread. Throws `std::bad_alloc`.
  std::vector<worker*> snapshot() const;

  /// Makes a participant of `home`. Any thread. Throws `std::bad_alloc`.
  worker& add(registry& home, participant_kind kind);
  /// A slot for a guest, used before or new. Any thread. Throws `std::bad_alloc` if there is no
  /// memory, or no slot any more.
  worker& take_guest_slot(registry& home);
  /// Any thread.
  void return_guest_slot(worker& guest) noexcept;

 private:
  struct table {
    explicit table(std::size_t slots) : capacity(slots), entries(new std::atomic<worker*>[slots]) {}
    std::size_t capacity;
    std::unique_ptr<std::atomic<worker*>[]> entries;
  };

  worker& add_locked(registry& home, participant_kind kind);

  const std::size_t workers_;
  const std::size_t max_guests_;
  std::atomic<table*> table_{nullptr};
  std::atomic<std::size_t> size_{0};
  // Written by each guest that takes a slot or returns it; what is above, by each new participant.
  alignas(no_sharing_size) std::mutex mutex_;  // what follows
  std::vector<std::unique_ptr<worker>> owned_;
  std::vector<std::unique_ptr<table>> tables_;
  std::vector<worker*> free_guest_slots_;
  std::size_t guest_slots_ = 0;  // free or not
};

}  // namespace filch::detail

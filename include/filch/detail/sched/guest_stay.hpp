// An outside thread that takes part in a pool for as long as an object lives.
#pragma once

#include <memory>

namespace filch::detail {

class registry;

/// The calling thread takes part in a pool for as long as this lives, as a guest. Made and
/// destroyed by the same thread.
class guest_stay {
 public:
  /// The calling thread takes part in no pool. If `home` has stopped, or has no slot for it, this
  /// does nothing.
  explicit guest_stay(std::shared_ptr<registry> home) noexcept;
  /// For work of `home` that the calling thread runs in place: does nothing if `home` has workers,
  /// or the thread takes part in a pool already.
  static guest_stay in_place(registry& home) noexcept;
  /// The same without a slot, for a pool that has none left: the thread does not take part, but
  /// free functions use `home`.
  static guest_stay alone(registry& home) noexcept;

  guest_stay(const guest_stay&) = delete;
  guest_stay& operator=(const guest_stay&) = delete;
  guest_stay(guest_stay&&) noexcept;
  ~guest_stay();

 private:
  guest_stay() noexcept;

  struct inside;
  std::unique_ptr<inside> inside_;  // null: it does nothing
};

/// The pool of which the calling thread runs work without a slot, or null.
registry* pool_of_lone_thread() noexcept;
/// In the child of a fork: that pool was the parent's.
void leave_lone_pool_by_fork() noexcept;

}  // namespace filch::detail

// Which pool a free function uses, and which slot the calling thread has there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

namespace filch {
class pool;
}

namespace filch::detail {

class guest_slot;
class registry;

/// The pool that the calling thread takes part in; else the default pool, which is made if there is
/// none. Any thread. Throws what default_pool() throws.
std::shared_ptr<registry> current_registry();
/// The default pool, which is made if there is none. Any thread. Throws what default_pool() throws.
std::shared_ptr<registry> default_registry();
/// The pool `chosen`; without one, current_registry().
std::shared_ptr<registry> registry_for(filch::pool* chosen);
/// Resets `home`, in the library, which has made what that refers to. (MemorySanitizer would take
/// the reference count for uninitialised.)
void let_go(std::shared_ptr<registry>& home) noexcept;
/// The same as registry_for(), but does not keep the pool alive: a worker that spawns must not
/// write to anything that all workers share, not even to a reference count.
registry& home_for(filch::pool* chosen);
/// How many workers current_registry() has.
std::size_t current_pool_size();

/// A loop or algorithm that the calling thread runs, perhaps without dividing it. A thread outside
/// of every pool takes a slot for it only when this_worker::slot() asks. Made and destroyed by the
/// same thread.
class lone_call {
 public:
  /// `outside`: the thread has no slot in a pool.
  explicit lone_call(bool outside) noexcept : begins_(outside && begin()) {}
  lone_call(const lone_call&) = delete;
  lone_call& operator=(const lone_call&) = delete;
  ~lone_call() {
    if (begins_) end();
  }

  /// The number of the slot that the calling thread keeps until the outermost such call ends.
  /// Nothing if it is in none, or its pool has no slot left.
  static std::optional<std::size_t> slot() noexcept;

 private:
  bool begin() noexcept;
  void end() noexcept;

  guest_slot* slot_ = nullptr;
  const bool begins_;  // it is the outermost one
};

}  // namespace filch::detail

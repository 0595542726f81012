// The pool of a continuation that follows no task.
#pragma once

#include <cstdint>
#include <memory>

namespace filch::detail {

class registry;

/// The pool in which a continuation will run, chosen when it begins to follow. A task takes its
/// continuations along into its own pool. A promise has no pool.
struct chosen_pool {
  std::shared_ptr<registry> home = {};  ///< Null: the default pool, when the time comes.

  /// The pool with the number `n`, as pool_number_here() gave it; null if it has ended.
  static chosen_pool of_number(std::uint32_t n) noexcept;
  /// That number; 0 if `home` is null.
  std::uint32_t number() const noexcept;
  ~chosen_pool();  // in the library: see let_go() in current_pool.hpp

  /// Chooses the pool in which the calling thread takes part; if there is none, the default pool.
  void choose_current() noexcept;
};

/// The number of the pool in which the calling thread takes part, which no other pool ever has; 0
/// if it takes part in none. Any thread.
std::uint32_t pool_number_here() noexcept;

}  // namespace filch::detail

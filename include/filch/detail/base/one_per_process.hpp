// A global object that a fork may find in use.
#pragma once

#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// An object of the process, or the first of a list, and its lock. A constinit variable of this
/// type is initialised without code and never destroyed: a fork never finds it half made, and
/// threads that outlive main may use it. The child of a fork has none: its lock is new, because
/// another thread of the parent may have held it.
template <class T>
struct one_per_process {
  std::mutex mutex;
  T* it = nullptr;
  T* of_parent = nullptr;  // for leak checkers

  /// In the child of a fork, on its only thread. Returns what the parent had, or null.
  T* forget() noexcept {
    static_assert(std::is_trivially_destructible_v<one_per_process>);
    std::construct_at(&mutex);
    return of_parent = std::exchange(it, nullptr);
  }
};

}  // namespace filch::detail

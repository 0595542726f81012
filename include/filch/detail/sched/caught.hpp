// An exception on its way to the thread that waits, with the exceptions that it outran.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "filch/detail/base/plain_vector.hpp"

namespace filch::detail {

/// The exceptions that were outrun by the one that a wait on this thread threw last. Null while the
/// thread ends: then they cannot be kept.
struct suppressed_list {
  std::exception_ptr by;  ///< the one that was thrown
  plain_vector<std::exception_ptr> others;
};
suppressed_list* suppressed_here() noexcept;

/// One exception, and the exceptions that it outran.
struct caught {
  std::exception_ptr first;
  plain_vector<std::exception_ptr> others;

  /// In a handler: the current exception, with those that it has outrun so far.
  static caught current() noexcept {
    caught c{std::current_exception(), {}};
    suppressed_list* const here = suppressed_here();
    if (here != nullptr && here->by == c.first) c.others = std::exchange(here->others, {});
    return c;
  }

  /// `later` was thrown too, and comes after this one. It is dropped if there is no memory: the
  /// first one matters more.
  void outrun(caught&& later) noexcept {
    try {
      others.reserve(others.size() + 1 + later.others.size());
    } catch (const std::bad_alloc&) {
      return;
    }
    others.push_back(std::move(later.first));
    for (std::exception_ptr& e : later.others) others.push_back(std::move(e));
  }

  [[noreturn]] void rethrow() {
    if (suppressed_list* const here = suppressed_here()) {
      // An exception that outran none is not kept: it is destroyed when its handler ends.
      suppressed_list now{others.empty() ? nullptr : first, std::move(others)};
      std::swap(*here, now);
    }
    std::rethrow_exception(std::move(first));
  }
};

}  // namespace filch::detail

// An exception on its way to the thread that waits, with the exceptions that it suppresses.
#pragma once

#include <exception>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"

namespace filch::detail {

/// A list of exceptions, in the library: it has one layout for every setting of the standard
/// library.
class suppressed_list {
 public:
  suppressed_list() noexcept = default;
  suppressed_list(suppressed_list&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)) {}
  suppressed_list& operator=(suppressed_list&& other) noexcept {
    std::swap(items_, other.items_);
    return *this;
  }
  ~suppressed_list() {
    if (items_ != nullptr) destroy();
  }

  const std::exception_ptr* begin() const noexcept;
  const std::exception_ptr* end() const noexcept;
  /// Adds `e`, and then `more`. Throws `std::bad_alloc`; then nothing has changed.
  void add(std::exception_ptr e, const suppressed_list& more);

 private:
  struct items;
  void destroy() noexcept;

  items* items_ = nullptr;
};

/// One exception, and the exceptions that it suppresses.
struct caught {
  std::exception_ptr first;
  suppressed_list others = {};

  /// An exception of type `Error` with the message `what`; without memory for it, `std::bad_alloc`.
  template <class Error>
  [[gnu::cold]] static caught make(const char* what) noexcept {
    try {
      throw Error(what);
    } catch (...) {  // an Error, or std::bad_alloc
      return {std::current_exception(), {}};
    }
  }
  /// In a handler: the current exception, with those that it has suppressed so far.
  static caught current() noexcept {
    caught c = in_handler();
    msan_written(c);
    return c;
  }
  /// The same exception once more. Exceptions that it suppresses are missing if there is no memory.
  caught copy() const noexcept;
  /// `later` was thrown too, and comes after this one. It is dropped if there is no memory: the
  /// first one matters more.
  void suppress(caught&& later) noexcept;
  [[noreturn]] void rethrow();

 private:
  static caught in_handler() noexcept;
};

}  // namespace filch::detail

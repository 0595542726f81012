// suppressed: the exceptions that a wait did not throw because it threw another one.
#pragma once

#include "filch/detail/base/config.hpp"

#include <exception>
#include <vector>

#include "filch/detail/base/plain_vector.hpp"

namespace filch {

/// Returns, in the handler of an exception that a join, a scope or an algorithm threw, the
/// exceptions that the other branches or tasks threw, in their order. The list is empty if there
/// are none, and outside of such a handler.
///
/// The exceptions are kept until the next wait on this thread throws, or until the thread ends. If
/// there was no memory to keep one, it is missing.
///
/// Threads  Any. It returns the exceptions of the calling thread.
/// Throws   `std::bad_alloc`.
///
///     try {
///       filch::join(a, b, c);
///     } catch (const std::exception& first) {
///       for (const std::exception_ptr& other : filch::suppressed()) log(other);
///     }
[[nodiscard]] std::vector<std::exception_ptr> suppressed();

namespace detail {

/// The list that suppressed() returns, in the form in which the library keeps it. Throws
/// `std::bad_alloc`.
plain_vector<std::exception_ptr> suppressed_by_current();

}  // namespace detail

inline std::vector<std::exception_ptr> suppressed() {
  const detail::plain_vector<std::exception_ptr> all = detail::suppressed_by_current();
  return {all.begin(), all.end()};
}

}  // namespace filch

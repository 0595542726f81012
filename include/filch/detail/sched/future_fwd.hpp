// The names of futures, for headers below their own.
#pragma once

namespace filch {

// The attribute stands here and not at the definition: clang-format cannot read it there.
template <class T>
class [[nodiscard(
    "filch: a dropped future loses the exception of its task: use detach(f), which gives it to "
    "on_exception, or cast to (void) to drop the future")]] future;

template <class T>
class shared_future;

namespace detail {

template <class T>
class future_awaiter;
template <class T>
class shared_future_awaiter;

}  // namespace detail
}  // namespace filch

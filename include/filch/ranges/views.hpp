// Parallel ranges with pipes: v | views::par | views::map(f) | views::filter(p).
#pragma once

#include "filch/detail/chain/closure.hpp"
#include "filch/ranges/par_range.hpp"

namespace filch {

/// The adaptors of a parallel range, for pipes. `range | views::name(arguments)` is
/// `range.name(arguments)`. A chain begins with `v | views::par`, which is par(v). Adaptors can be
/// combined, stored, and used again; then their functions are copied.
///
///     const auto squares_of_odd = views::filter(is_odd) | views::map(square);
///     const int total = (v | views::par | squares_of_odd).sum();
namespace views {

inline constexpr detail::par_closure par{};

// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared has none
// Calls range.name(args...). The template is not constrained by the call itself: then the compiler
// would only say that the call is not possible, and not why.
#define FILCH_RANGE_CALL(name, ...)                           \
  struct name##_call {                                        \
    template <class R, class... Args>                         \
    auto operator()(R&& range, Args&&... args) const {        \
      return std::forward<R>(range).name(std::move(args)...); \
    }                                                         \
  };
#define FILCH_ADAPTOR_VIEW(name, ...)                             \
  FILCH_RANGE_CALL(name)                                          \
  inline constexpr auto name = [](auto... args) {                 \
    return detail::closure_of(name##_call(), std::move(args)...); \
  };
// The same for adaptors that take a number: it is converted to std::size_t in the user's call.
#define FILCH_COUNT_VIEW(name, ...) \
  FILCH_RANGE_CALL(name)            \
  inline auto name(std::size_t n) { return detail::closure_of(name##_call(), n); }
// NOLINTEND(bugprone-macro-parentheses)

FILCH_EACH_NAME(FILCH_ADAPTOR_VIEW, , map, filter, filter_map, flat_map, flatten, inspect, update,
                copied, fold, map_init, enumerate, chunk_by, rev, intersperse, until);
FILCH_EACH_NAME(FILCH_COUNT_VIEW, , take_any, skip_any, chunks, windows, take, skip, step_by,
                with_grain);
FILCH_EACH_NAME(FILCH_RANGE_CALL, , zip, chain, with, on);

#undef FILCH_COUNT_VIEW
#undef FILCH_ADAPTOR_VIEW
#undef FILCH_RANGE_CALL

/// Mean range.zip(other) and range.chain(other). An lvalue `other` is borrowed, as by par().
template <detail::parallel_indexed R>
auto zip(R&& other) {
  return detail::closure_of(zip_call(), filch::par(std::forward<R>(other)));
}
template <detail::parallel R>
auto chain(R&& other) {
  return detail::closure_of(chain_call(), filch::par(std::forward<R>(other)));
}
template <class R>
requires(!detail::parallel_indexed<R>) FILCH_REFUSED(
    "filch: views::zip(other): other must have random access and a size, or be a parallel "
    "range whose items have positions. Collect it into a std::vector first",
    zip(R&&));
template <class R>
requires(!detail::parallel<R>) FILCH_REFUSED(
    "filch: views::chain(other): other must have random access and a size. Of any other range "
    "par_bridge(other) makes a parallel one, whose items come in any order",
    chain(R&&));

/// Means range.with(o).
inline auto with(options o) { return detail::closure_of(with_call(), std::move(o)); }

/// Means range.on(where).
inline auto on(pool& where) { return detail::closure_of(on_call(), std::ref(where)); }

/// Means range.to<Container>(), which runs the chain: `v | views::par | views::to<std::vector>()`.
template <class Container>
auto to() {
  return detail::closure_of([](auto range) { return range.template to<Container>(); });
}
template <template <class...> class Container>
auto to() {
  return detail::closure_of([](auto range) { return range.template to<Container>(); });
}

}  // namespace views

}  // namespace filch

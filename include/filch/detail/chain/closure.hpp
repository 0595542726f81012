// What may stand to the right of a pipe.
#pragma once

#include "filch/detail/chain/source_of.hpp"
#include "filch/detail/loop/fork.hpp"

namespace filch::detail {

/// The base of everything that may stand to the right of a pipe. It makes another range of a
/// parallel range, or a result.
struct closure_base {};
template <class C>
concept closure = std::derived_from<std::remove_cvref_t<C>, closure_base>;

/// What may stand to the left of a pipe.
template <class R>
concept piped = has_source<R> && !std::is_lvalue_reference_v<R> && !std::is_const_v<R>;

// The attribute stands here and not at the definition: clang-format cannot read it there.
template <class Call, class... Args>
struct [[nodiscard(
    "filch: an adaptor does nothing by itself: put it behind a pipe, v | views::par | "
    "views::map(f)")]] bound_closure;

/// Calls Call(range, args...) with arguments that it stores. An lvalue keeps them, and can be used
/// again.
template <class Call, class... Args>
struct bound_closure : closure_base {
  std::tuple<Args...> all;

  template <piped R>
  auto operator()(R&& range) const& {
    return std::apply(
        [&](const Args&... args) { return Call{}(std::forward<R>(range), Args(args)...); }, all);
  }
  template <piped R>
  auto operator()(R&& range) && {
    return std::apply(
        [&](Args&... args) { return Call{}(std::forward<R>(range), std::move(args)...); }, all);
  }
};

/// Returns the closure that means call(range, args...).
template <class Call, class... Args>
auto closure_of(Call, Args... args) {
  return bound_closure<Call, Args...>{{}, {std::move(args)...}};
}

/// Two closures, one after the other.
struct composed_call {
  template <class R, class First, class Second>
  auto operator()(R&& range, First first, Second second) const {
    return std::move(second)(std::move(first)(std::forward<R>(range)));
  }
};

/// The closure that begins a chain.
struct par_closure {
  template <parallel R>
  auto operator()(R&& range, const options& o = {}) const {
    auto source = detail::source_for(std::forward<R>(range));
    return par_range<decltype(source), parallel_fork>(std::move(source), o);
  }
  template <class R>
  requires(!parallel<R>) FILCH_REFUSED(
      "filch: views::par(range): the range must have random access and a size. Of any other "
      "range par_bridge(range) makes a parallel one, whose items come in any order",
      operator()(R&&, const options& = {}) const);
};

template <piped R, closure C>
auto operator|(R&& range, C&& c) {
  return std::forward<C>(c)(std::forward<R>(range));
}
template <closure A, closure B>
auto operator|(A&& a, B&& b) {
  return detail::closure_of(composed_call(), std::forward<A>(a), std::forward<B>(b));
}
template <parallel R>
auto operator|(R&& range, const par_closure& begin) {
  return begin(std::forward<R>(range));
}

template <has_source R, closure C>
FILCH_REFUSED(
    "filch: a pipe takes ownership of a parallel range. Move a range with a name: "
    "std::move(range) | ...",
    operator|(R&, C&&));
template <has_source R, closure C>
FILCH_REFUSED(
    "filch: a pipe takes ownership of a parallel range, and cannot take one that is const. Declare "
    "the "
    "range without const, and move it: std::move(range) | ...",
    operator|(const R&, C&&));
template <class R>
requires(!parallel<R> && !closure<R>) FILCH_REFUSED(
    "filch: range | views::par: the range must have random access and a size. Of any other "
    "range par_bridge(range) makes a parallel one, whose items come in any order",
    operator|(R&&, const par_closure&));

}  // namespace filch::detail

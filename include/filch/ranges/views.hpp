// Parallel ranges with pipes: v | views::par | views::map(f) | views::filter(p).
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/chain/source_of.hpp"
#include "filch/ranges/par_range.hpp"

namespace filch {

namespace detail {

/// The base of everything that may stand to the right of a pipe. It makes another range of a
/// parallel range, or a result.
struct closure_base {};
template <class C>
concept closure = std::derived_from<std::remove_cvref_t<C>, closure_base>;

/// What may stand to the left of a pipe.
template <class R>
concept piped = has_source<R> && !std::is_reference_v<R> && !std::is_const_v<R>;

// The attributes stand here and not at the definitions: clang-format cannot read them there.
template <class Call, class... Args>
class [[nodiscard(
    "filch: an adaptor does nothing by itself: put it behind a pipe, v | views::par | "
    "views::map(f)")]] bound_closure;
template <class First, class Second>
class [[nodiscard(
    "filch: adaptors do nothing by themselves: put them behind a pipe, v | views::par | "
    "views::map(f)")]] composed_closure;

/// Calls Call(range, args...) with arguments that it stores. An lvalue keeps them, and can be used
/// again.
template <class Call, class... Args>
class bound_closure : public closure_base {
 public:
  explicit bound_closure(Args... args) : args_(std::move(args)...) {}

  template <piped R>
  auto operator()(R&& range) const& {
    return std::apply(
        [&](const Args&... args) { return Call{}(std::forward<R>(range), Args(args)...); }, args_);
  }
  template <piped R>
  auto operator()(R&& range) && {
    return std::apply(
        [&](Args&... args) { return Call{}(std::forward<R>(range), std::move(args)...); }, args_);
  }

 private:
  std::tuple<Args...> args_;
};

/// Two closures, one after the other.
template <class First, class Second>
class composed_closure : public closure_base {
 public:
  composed_closure(First first, Second second)
      : first_(std::move(first)), second_(std::move(second)) {}

  template <piped R>
  auto operator()(R&& range) const& {
    return second_(first_(std::forward<R>(range)));
  }
  template <piped R>
  auto operator()(R&& range) && {
    return std::move(second_)(std::move(first_)(std::forward<R>(range)));
  }

 private:
  First first_;
  Second second_;
};

/// The closure that begins a chain.
struct par_closure {
  template <parallel R>
  auto operator()(R&& range, const options& o = {}) const {
    return filch::par(std::forward<R>(range), o);
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
  using first = std::remove_cvref_t<A>;
  using second = std::remove_cvref_t<B>;
  return composed_closure<first, second>(std::forward<A>(a), std::forward<B>(b));
}
template <parallel R>
auto operator|(R&& range, const par_closure& begin) {
  return begin(std::forward<R>(range));
}

template <has_source R, closure C>
FILCH_REFUSED(
    "filch: a pipe takes a parallel range over. One that has a name is moved: "
    "std::move(range) | ...",
    operator|(R&, C&&));
template <has_source R, closure C>
FILCH_REFUSED(
    "filch: a pipe takes a parallel range over, and cannot take one that is const. Declare the "
    "range without const, and move it: std::move(range) | ...",
    operator|(const R&, C&&));
template <class R>
requires(!parallel<R> && !closure<R>) FILCH_REFUSED(
    "filch: range | views::par: the range must have random access and a size. Of any other "
    "range par_bridge(range) makes a parallel one, whose items come in any order",
    operator|(R&&, const par_closure&));

/// The function object behind name(arguments...), which may stand to the right of a pipe.
template <class Call>
struct adaptor_view {
  template <class... Args>
  auto operator()(Args... args) const {
    return bound_closure<Call, Args...>(std::move(args)...);
  }
};

struct zip_call {
  template <class R, class Other>
  auto operator()(R&& range, Other&& other) const {
    return std::forward<R>(range).zip(std::forward<Other>(other));
  }
};
struct chain_call {
  template <class R, class Other>
  auto operator()(R&& range, Other&& other) const {
    return std::forward<R>(range).chain(std::forward<Other>(other));
  }
};
struct with_call {
  template <class R>
  auto operator()(R&& range, options o) const {
    return std::forward<R>(range).with(std::move(o));
  }
};
struct on_call {
  template <class R>
  auto operator()(R&& range, pool* where) const {
    return std::forward<R>(range).on(*where);
  }
};
template <class Container>
struct to_call {
  template <class R>
  auto operator()(R&& range) const {
    return range.template to<Container>();
  }
};
template <template <class...> class Container>
struct to_template_call {
  template <class R>
  auto operator()(R&& range) const {
    return range.template to<Container>();
  }
};

}  // namespace detail

/// The adaptors of a parallel range, for pipes. `range | views::name(arguments)` is
/// `range.name(arguments)`. A chain begins with `v | views::par`, which is par(v). Adaptors can be
/// combined, stored, and used again; then their functions are copied.
///
///     const auto squares_of_odd = views::filter(is_odd) | views::map(square);
///     const int total = (v | views::par | squares_of_odd).sum();
namespace views {

inline constexpr detail::par_closure par{};

// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared has none
// The template is not constrained by the call itself: then the compiler would only say that the
// call is not possible, and not why.
#define FILCH_ADAPTOR_VIEW(name)                              \
  struct name##_call {                                        \
    template <class R, class... Args>                         \
    auto operator()(R&& range, Args&&... args) const {        \
      return std::forward<R>(range).name(std::move(args)...); \
    }                                                         \
  };                                                          \
  inline constexpr detail::adaptor_view<name##_call> name {}

/// The same for adaptors that take a number: it is converted to std::size_t in the user's call.
#define FILCH_COUNT_VIEW(name)                        \
  struct name##_call {                                \
    template <class R>                                \
    auto operator()(R&& range, std::size_t n) const { \
      return std::forward<R>(range).name(n);          \
    }                                                 \
  };                                                  \
  inline auto name(std::size_t n) { return detail::adaptor_view<name##_call>()(n); }
// NOLINTEND(bugprone-macro-parentheses)

FILCH_ADAPTOR_VIEW(map);
FILCH_ADAPTOR_VIEW(filter);
FILCH_ADAPTOR_VIEW(filter_map);
FILCH_ADAPTOR_VIEW(flat_map);
FILCH_ADAPTOR_VIEW(flatten);
FILCH_ADAPTOR_VIEW(inspect);
FILCH_ADAPTOR_VIEW(update);
FILCH_ADAPTOR_VIEW(copied);
FILCH_ADAPTOR_VIEW(fold);
FILCH_ADAPTOR_VIEW(map_init);
FILCH_COUNT_VIEW(take_any)
FILCH_COUNT_VIEW(skip_any)
FILCH_ADAPTOR_VIEW(enumerate);
FILCH_COUNT_VIEW(chunks)
FILCH_COUNT_VIEW(windows)
FILCH_ADAPTOR_VIEW(chunk_by);
FILCH_COUNT_VIEW(take)
FILCH_COUNT_VIEW(skip)
FILCH_COUNT_VIEW(step_by)
FILCH_ADAPTOR_VIEW(rev);
FILCH_ADAPTOR_VIEW(intersperse);
FILCH_COUNT_VIEW(with_grain)
FILCH_ADAPTOR_VIEW(until);

#undef FILCH_COUNT_VIEW
#undef FILCH_ADAPTOR_VIEW

/// Mean range.zip(other) and range.chain(other). An lvalue `other` is borrowed, as by par().
template <detail::parallel_indexed R>
auto zip(R&& other) {
  return detail::adaptor_view<detail::zip_call>()(filch::par(std::forward<R>(other)));
}
template <detail::parallel R>
auto chain(R&& other) {
  return detail::adaptor_view<detail::chain_call>()(filch::par(std::forward<R>(other)));
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
inline auto with(options o) { return detail::adaptor_view<detail::with_call>()(std::move(o)); }

/// Means range.on(where).
inline auto on(pool& where) { return detail::adaptor_view<detail::on_call>()(&where); }

/// Means range.to<Container>(), which runs the chain: `v | views::par | views::to<std::vector>()`.
template <class Container>
auto to() {
  return detail::adaptor_view<detail::to_call<Container>>()();
}
template <template <class...> class Container>
auto to() {
  return detail::adaptor_view<detail::to_template_call<Container>>()();
}

}  // namespace views

}  // namespace filch

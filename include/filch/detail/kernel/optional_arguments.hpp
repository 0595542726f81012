// Arguments of algorithms that may be left out: a comparator or another function, projections, and
// options behind them.
#pragma once

#include <concepts>
#include <type_traits>

#include "filch/options.hpp"

namespace filch::detail {

// An argument in braces has no type. So a function that may be left out has `options` as its
// default type: `sort(v, {.grain = 64})` makes options where a comparator could be, and `sort(v,
// {}, &person::age)` makes options without a setting, which stand for the default comparator.

template <class T>
concept no_options = !std::same_as<std::remove_cvref_t<T>, options>;

/// Where options would be that were left out. Making such an object for each function that is left
/// out would take longer than many a short loop. So there is none: only the address is used.
struct alignas(options) left_out_place {
  unsigned char bytes[sizeof(options)] = {};
};
[[gnu::visibility("default")]] FILCH_ONE_FOR_ALL constinit left_out_place left_out_at;

/// The default argument of a function that may be left out.
inline options&& left_out() noexcept { return reinterpret_cast<options&&>(left_out_at); }

/// The type of a function that may be left out.
template <class F, class Default = std::identity>
using or_default_t = std::conditional_t<no_options<F>, std::decay_t<F>, Default>;

/// Returns `f`; a `Default` if it was left out. A constant is copied: algorithms know some
/// functions by their types. If `Default` is void, `f` cannot be left out.
template <class Default = std::identity, class F>
constexpr decltype(auto) or_default(F& f) {
  constexpr bool has_default = !std::is_void_v<Default>;
  if constexpr (has_default && !no_options<F>)
    return Default();
  else if constexpr (has_default && (std::is_const_v<F> || std::is_function_v<F>))
    return std::decay_t<F>(f);
  else
    return (f);
}

/// Has `o` another value than a default somewhere?
inline bool has_settings(const options& o) {
  const auto& [grain, stop, priority, on, isolate, deterministic, progress, max_workers, deadline] =
      o;
  return grain != 0 || stop.stop_possible() || priority != filch::priority::normal ||
         on != nullptr || isolate || deterministic || progress != nullptr || max_workers != 0 ||
         deadline != std::chrono::steady_clock::time_point::max();
}

/// Throws `usage_error`: a call has settings at two places. The compiler cannot see that, because
/// braces have no type.
[[noreturn, gnu::cold]] void refuse_options_twice();

/// Returns the options of a call: those in the place of one of `functions`, or else `last`.
template <class... Functions>
const options& options_of(const options& last, const Functions&... functions) {
  const options* found = &last;
  [[maybe_unused]] const auto look_at = [&](const auto& f) {
    if constexpr (!no_options<decltype(f)>)
      if (static_cast<const void*>(&f) != &left_out_at && has_settings(f)) {
        if (has_settings(*found)) refuse_options_twice();
        found = &f;
      }
  };
  (look_at(functions), ...);
  return *found;
}

/// The functions of a call in their order, and its options, as an algorithm uses them.
template <class F, class G = std::identity, class H = std::identity>
struct arguments {
  const options& o;
  F f;
  G g = {};
  H h = {};
};

/// Makes them of what the caller gave. `Default` stands for the first function if that was left
/// out, `Second` for the second, and std::identity for the third.
template <class Default = void, class F>
auto given(const options& o, F& f) {
  return arguments<decltype(detail::or_default<Default>(f))>{detail::options_of(o, f),
                                                             detail::or_default<Default>(f)};
}
template <class Default = void, class Second = std::identity, class F, class G, class... H>
auto given(const options& o, F& f, G& g, H&... h) {
  return arguments<decltype(detail::or_default<Default>(f)),
                   decltype(detail::or_default<Second>(g)), decltype(detail::or_default(h))...>{
      detail::options_of(o, f, g, h...), detail::or_default<Default>(f),
      detail::or_default<Second>(g), detail::or_default(h)...};
}

}  // namespace filch::detail

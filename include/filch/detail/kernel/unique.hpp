// Keeps the first of equal neighbours.
#pragma once

#include "filch/detail/kernel/copy_if.hpp"
#include "filch/detail/kernel/remove.hpp"

namespace filch::detail {

/// Two neighbours can be compared after the projection.
template <class R, class Equal, class Proj>
concept compares_neighbours = requires(or_default_t<Equal, std::ranges::equal_to>& equal,
                                       or_default_t<Proj>& proj,
                                       const std::ranges::iterator_t<R>& i) {
  static_cast<bool>(std::invoke(equal, std::invoke(proj, *i), std::invoke(proj, *i)));
};

/// Returns a function that compares an element with the one before `end`. That is the previous
/// element, or a kept one that equals it.
template <class I, class Equal, class Proj>
auto differs_from_previous(Equal& equal, Proj& proj) {
  return [&](const I& i, const I& end) {
    return !static_cast<bool>(
        std::invoke(equal, std::invoke(proj, *std::ranges::prev(end)), std::invoke(proj, *i)));
  };
}

/// The options of a loop over all elements except the first. Its progress counts the first element
/// as done.
class but_for_first {
 public:
  /// `o` outlives this object.
  explicit but_for_first(const options& o) : all_(o) {
    if (!o.progress) return;
    adjusted_.emplace(o).progress = [&o](std::size_t done, std::size_t total) {
      o.progress(done + 1, total + 1);
    };
  }
  const options& operator*() const noexcept { return adjusted_ ? *adjusted_ : all_; }

 private:
  const options& all_;
  std::optional<options> adjusted_;
};

/// The number of comparisons of neighbours that are worth a fork.
template <class I, class Equal, class Proj>
inline constexpr std::size_t least_for_neighbours =
    std::same_as<std::remove_cvref_t<Equal>, std::ranges::equal_to>
        ? least_for_value<I, std::iter_value_t<I>, Proj>
        : 1;

template <fork_policy Fork, std::random_access_iterator I, class Equal, class Proj>
subrange<I> unique_with(const Fork& fork, I first, std::size_t n, Equal& equal, Proj& proj,
                        const options& o) {
  if (n < 2) {
    const I last = alone(n, o, [&] { return detail::at(first, n); });
    return {last, last};
  }
  const but_for_first rest(o);
  const std::size_t kept = detail::keep_with<true>(fork, detail::at(first, 1), n - 1, *rest,
                                                   detail::differs_from_previous<I>(equal, proj),
                                                   least_for_neighbours<I, Equal, Proj>);
  return {detail::at(first, 1 + kept), detail::at(first, n)};
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O,
          class Equal, class Proj>
O unique_copy_with(const Fork& fork, I first, std::size_t n, O out, Equal& equal, Proj& proj,
                   const options& o) {
  const auto one = [&] {
    if (n != 0) *out = *first;
    return detail::at(out, n);
  };
  if (n < 2) return alone(n, o, one);
  const but_for_first rest(o);
  const auto differs = detail::differs_from_previous<I>(equal, proj);
  const O end = detail::copy_selected_with(
      fork, detail::at(first, 1), n - 1, detail::at(out, 1), *rest,
      [&](const I& i) { return differs(i, i); }, least_for_neighbours<I, Equal, Proj>);
  *out = *first;
  return end;
}

}  // namespace filch::detail

// Consumers of chains whose functions or items can fail without throwing.
#pragma once

#include "filch/detail/base/public_types.hpp"
#include "filch/detail/chain/find.hpp"

namespace filch::detail {

/// Describes a type that holds either a value or a failure.
template <class R>
struct attempt_traits {};
template <class T, class E>
struct attempt_traits<expected<T, E>> {
  using value = T;
  using failure = E;
  template <class U>
  using rebind = expected<U, E>;
  template <class R>
  static E failure_of(R&& failed) {
    return static_cast<R&&>(failed).error();
  }
  template <class U>
  static rebind<U> failed(E&& error) {
    return rebind<U>(unexpect, std::move(error));
  }
};
template <class T>
struct attempt_traits<std::optional<T>> {
  using value = T;
  using failure = nothing;
  template <class U>
  using rebind = std::optional<value_of<U>>;
  template <class R>
  static nothing failure_of(R&&) noexcept {
    return {};
  }
  template <class U>
  static rebind<U> failed(nothing) noexcept {
    return std::nullopt;
  }
};
template <class R>
using traits_of_attempt = attempt_traits<std::remove_cvref_t<R>>;

/// A filch::expected or a std::optional.
template <class R>
concept attempt = requires {
  typename traits_of_attempt<R>::failure;
};

template <class Function>
struct failures_step {
  [[no_unique_address]] Function f;
  template <class Item, class Next>
  [[gnu::always_inline]] void operator()(Item&& item, Next& next) {
    auto&& made = f(static_cast<Item&&>(item));
    if (!static_cast<bool>(made))
      next.take(traits_of_attempt<decltype(made)>::failure_of(static_cast<decltype(made)>(made)));
  }
};

/// Passes on the failures of f(item).
template <class F>
struct failures_stage {
  template <class Item>
  using item = typename traits_of_attempt<function_result<F, Item>>::failure;
  [[no_unique_address]] F f;

  template <class Item, class Next>
  auto before(Next next) const {
    return step_folder<failures_step<function_for<F, Item>>, Next>{{std::move(next)}, {{f}}};
  }
};

/// Passes the values of items that are attempts to the consumer behind it, up to the first failure.
template <class Item, class Next>
struct values_consumer {
  using traits = traits_of_attempt<Item>;
  struct part {
    typename Next::part values;
    std::optional<typename traits::failure> failure;
  };
  static constexpr wanted rule = wanted::first;
  static constexpr bool any_cut = plumbing::fits_any_cut<Next>;
  const Next& next;

  struct folder {
    decltype(std::declval<const Next&>().begin(0)) next;
    std::optional<typename traits::failure> failure{};

    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (static_cast<bool>(item))
        next.take(*static_cast<I&&>(item));
      else
        failure.emplace(traits::failure_of(static_cast<I&&>(item)));
    }
    bool full() const noexcept { return failure.has_value(); }
    part finish() && { return {std::move(next).finish(), std::move(failure)}; }
  };
  folder begin(std::size_t position) const { return {next.begin(position)}; }
  bool enough(const part& p) const noexcept { return p.failure.has_value(); }
  part merge(part&& left, part&& right) const {
    if (left.failure) return std::move(left);
    return {next.merge(std::move(left.values), std::move(right.values)), std::move(right.failure)};
  }
};

/// The type of the value in an item that is an attempt or, without `Open`, of the item itself.
template <class Item, bool Open>
struct opened : std::type_identity<Item> {};
template <class Item>
struct opened<Item, true> : std::type_identity<decltype(*std::declval<Item>())> {};

/// Folds items into a value of type T in an attempt R. Each leaf begins with make() and
/// continues with fold(value, item). The values of two leaves are combined. All of that goes on
/// as long as nothing fails. With `Open`, items are attempts themselves, and their values are
/// folded.
template <class R, class T, class Item, bool Open, class Fold, class Combine, class Make>
struct try_fold_consumer {
  using part = R;
  static constexpr wanted rule = wanted::first;
  const Fold& fold;
  const Combine& combine;
  const Make& make;

  struct folder {
    function_for<Fold, T, typename opened<Item, Open>::type> fold;
    R value;

    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if constexpr (!Open)
        value = R(fold(*std::move(value), static_cast<I&&>(item)));
      else if (static_cast<bool>(item))
        value = R(fold(*std::move(value), *static_cast<I&&>(item)));
      else
        value = traits_of_attempt<R>::template failed<T>(
            traits_of_attempt<I>::failure_of(static_cast<I&&>(item)));
    }
    bool full() const noexcept { return !value.has_value(); }
    R finish() && { return std::move(value); }
  };
  folder begin(std::size_t) const {
    return {{fold}, R(static_cast<T>(function_for<Make>{make}()))};
  }
  bool enough(const R& p) const noexcept { return !p.has_value(); }
  R merge(R&& left, R&& right) const {
    if (!left.has_value()) return std::move(left);
    if (!right.has_value()) return std::move(right);
    return R(function_for<Combine, T, T>{combine}(*std::move(left), *std::move(right)));
  }
};

/// Returns a copy of the neutral value that the user gave, or of what the user's function makes.
template <class Init>
struct neutral_value {
  Init init;
  auto operator()() const {
    if constexpr (chain_function<Init>)
      return function_for<Init>{init}();
    else
      return init;
  }
};

}  // namespace filch::detail

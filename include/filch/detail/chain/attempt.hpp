// Consumers of chains whose functions or items can fail without throwing.
#pragma once

#include "filch/detail/chain/find.hpp"
#include "filch/detail/chain/index_iterator.hpp"

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

/// The first failure of f(item), or success.
template <class Range, class F>
auto try_each_of(Range& range, F f) {
  using item = typename Range::item;
  detail::require_function<F, item>();
  using R = function_result<F, item>;
  static_assert(attempt<R>,
                "filch: try_for_each(f): f must return a filch::expected or a std::optional");
  using traits = traits_of_attempt<R>;
  using failure = typename traits::failure;
  detail::require_lasting<failure>();
  auto failed = detail::find_made<failure, wanted::first>(range, failures_stage<F>{std::move(f)});
  if (failed) return traits::template failed<void>(*std::move(failed));
  return typename traits::template rebind<void>(std::in_place);
}

/// Folds the items of a range, or their values, in attempts.
template <class Range, class Init, class Fold, class Combine>
auto try_fold_of(Range& range, Init init, Fold& f, Combine& combine) {
  using item = typename Range::item;
  using make = neutral_value<Init>;
  using T = std::invoke_result_t<const make&>;
  // Items are unwrapped if the function cannot take them as they are.
  constexpr bool open = attempt<item> && !chain_function<Fold, T, item>;
  using folded = typename opened<item, open>::type;
  static_assert(chain_function<Fold, T, folded>,
                "filch: try_fold(init, fold, combine): fold must be callable with a value of "
                "init's type and an item of this range");
  static_assert(chain_function<Combine, T, T>,
                "filch: try_fold(init, fold, combine): combine must be callable with two values "
                "of init's type");
  using R = std::remove_cvref_t<function_result<Fold, T, folded>>;
  detail::require_lasting<R>();
  static_assert(
      requires { requires std::same_as<typename traits_of_attempt<R>::value, T>; },
      "filch: try_fold(init, fold, combine): fold must return a filch::expected or a "
      "std::optional of init's type");
  const make neutral{std::move(init)};
  auto all =
      range.drive(try_fold_consumer<R, T, item, open, Fold, Combine, make>{f, combine, neutral});
  return all ? *std::move(all) : R(neutral());
}

/// The type of the value of an item that is an attempt.
template <class Item>
constexpr auto require_attempts() {
  static_assert(attempt<Item>,
                "filch: try_to(): the items must be filch::expected or std::optional; map(f) to "
                "such ones first");
  return std::type_identity<decltype(*std::declval<Item>())>();
}
template <class Item>
using opened_value = typename decltype(detail::require_attempts<Item>())::type;

/// What a collector makes of the values of items that are attempts, or the first failure.
template <class Container, class Range, class Collector>
auto try_collect_of(Range& range, Collector& made) {
  using item = typename Range::item;
  using traits = traits_of_attempt<item>;
  using result = typename traits::template rebind<Container>;
  return range.run([&](const auto& run) -> result {
    const auto behind = made.consumer();
    using consumer = values_consumer<item, decltype(made.consumer())>;
    auto all = plumbing::drive(run, range.source(), consumer{behind});
    if (!all) return result(std::in_place);
    if (all->failure) return traits::template failed<Container>(*std::move(all->failure));
    return result(std::in_place, made.finish(run, std::optional(std::move(all->values))));
  });
}

}  // namespace filch::detail

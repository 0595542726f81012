// Consumers of chains whose functions or items can fail without throwing.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/find.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/expected.hpp"
#include "filch/plumbing.hpp"

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

/// An attempt whose value is of type T.
template <class R, class T>
concept attempt_at = attempt<R> && std::same_as<typename traits_of_attempt<R>::value, T>;

/// Finds the first failure among the results of f(item).
template <class Traits>
struct failure_probe {
  template <class Made>
  static bool holds(const Made& made) {
    return !static_cast<bool>(made);
  }
  template <class Made>
  static auto held(Made&& made) {
    return Traits::failure_of(static_cast<Made&&>(made));
  }
};
template <class F, class Item, class Traits = traits_of_attempt<function_result<F, Item>>,
          class Failure = typename Traits::failure>
using try_each_consumer = function_consumer<
    finding_consumer<Failure, plumbing::wanted::first>,
    probe_folder<Failure, plumbing::wanted::first, failure_probe<Traits>, F, Item>, F>;

/// Passes the values of items that are attempts to the consumer behind it, up to the first failure.
template <class Item, class Next>
class values_consumer {
  using traits = traits_of_attempt<Item>;
  using folder_behind = decltype(std::declval<const Next&>().begin(0));

 public:
  struct part {
    typename Next::part values;
    std::optional<typename traits::failure> failure;
  };
  static constexpr plumbing::wanted rule = plumbing::wanted::first;
  static constexpr bool any_cut = plumbing::fits_any_cut<Next>;

  explicit values_consumer(const Next& next) noexcept : next_(next) {}

  class folder {
   public:
    explicit folder(folder_behind next) : next_(std::move(next)) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (static_cast<bool>(item))
        next_.take(*static_cast<I&&>(item));
      else
        failure_.emplace(traits::failure_of(static_cast<I&&>(item)));
    }
    bool full() const noexcept { return failure_.has_value(); }
    part finish() && { return {std::move(next_).finish(), std::move(failure_)}; }

   private:
    folder_behind next_;
    std::optional<typename traits::failure> failure_;
  };
  folder begin(std::size_t position) const { return folder(next_.begin(position)); }
  bool enough(const part& p) const noexcept { return p.failure.has_value(); }
  part merge(part&& left, part&& right) const {
    if (left.failure) return std::move(left);
    return {next_.merge(std::move(left.values), std::move(right.values)), std::move(right.failure)};
  }

 private:
  const Next& next_;
};

/// The type of the value in an item that is an attempt or, without `Open`, of the item itself.
template <class Item, bool Open>
struct opened {
  using type = Item;
};
template <class Item>
struct opened<Item, true> {
  using type = decltype(*std::declval<Item>());
};

/// Folds items into a value of type T in an attempt R. Each leaf begins with make() and
/// continues with fold(value, item). The values of two leaves are combined. All of that goes on
/// as long as nothing fails. With `Open`, items are attempts themselves, and their values are
/// folded.
template <class R, class T, class Item, bool Open, class Fold, class Combine, class Make>
class try_fold_consumer {
  using folded = typename opened<Item, Open>::type;

 public:
  using part = R;
  static constexpr plumbing::wanted rule = plumbing::wanted::first;

  try_fold_consumer(const Fold& fold, const Combine& combine, const Make& make) noexcept
      : fold_(fold), combine_(combine), make_(make) {}

  class folder {
   public:
    folder(const Fold& fold, R value) : fold_(fold), value_(std::move(value)) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if constexpr (!Open)
        value_ = R(fold_(*std::move(value_), static_cast<I&&>(item)));
      else if (static_cast<bool>(item))
        value_ = R(fold_(*std::move(value_), *static_cast<I&&>(item)));
      else
        value_ = traits_of_attempt<R>::template failed<T>(
            traits_of_attempt<I>::failure_of(static_cast<I&&>(item)));
    }
    bool full() const noexcept { return !value_.has_value(); }
    R finish() && { return std::move(value_); }

   private:
    function_for<Fold, T, folded> fold_;
    R value_;
  };
  auto begin(std::size_t) const {
    function_for<Make> make(make_);
    return folder(fold_, R(static_cast<T>(make())));
  }
  bool enough(const R& p) const noexcept { return !p.has_value(); }
  R merge(R&& left, R&& right) const {
    if (!left.has_value()) return std::move(left);
    if (!right.has_value()) return std::move(right);
    function_for<Combine, T, T> combine(combine_);
    return R(combine(*std::move(left), *std::move(right)));
  }

 private:
  const Fold& fold_;
  const Combine& combine_;
  const Make& make_;
};

/// A function that returns the neutral value, which the user gave as a value or as a function.
template <class Init>
class neutral_value {
 public:
  using type = Init;
  explicit neutral_value(Init init) : init_(std::move(init)) {}
  Init operator()() const { return init_; }

 private:
  Init init_;
};
template <class Init>
requires chain_function<Init>
class neutral_value<Init> {
 public:
  using type = std::remove_cvref_t<function_result<Init>>;
  explicit neutral_value(Init init) : init_(std::move(init)) {}
  type operator()() const {
    function_for<Init> make(init_);
    return make();
  }

 private:
  Init init_;
};

}  // namespace filch::detail

// Consumers that pass items to two other consumers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/expected.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// A consumer with two consumers behind it. `Route` says which of them gets an item:
///   way()(item, a, b)       passes the item, or a part of it, to folder `a`, to folder `b` or to
///                           both
///   way().puts<Item, To>    has it put(item, a, b), for folders To with storage for one more item?
template <class Route, class A, class B>
class split_consumer {
 public:
  using part = std::pair<typename A::part, typename B::part>;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = plumbing::fits_any_cut<A> && plumbing::fits_any_cut<B>;

  split_consumer(const Route& route, const A& a, const B& b) noexcept
      : route_(route), a_(a), b_(b) {}

  template <class Way, class FolderA, class FolderB>
  class folder {
   public:
    folder(Way way, FolderA a, FolderB b)
        : way_(std::move(way)), a_(std::move(a)), b_(std::move(b)) {}
    folder(folder&&) = default;  // NOLINT(*-noexcept-move-constructor): as its members' are
    [[gnu::always_inline]] ~folder() = default;
    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      way_(static_cast<Item&&>(item), a_, b_);
    }
    template <class Get>
    requires(Way::template puts<std::invoke_result_t<const Get&, std::size_t>, FolderA>)
        [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      while (first != last) {
        const std::size_t end =
            first + std::min({last - first, a_.ensure_capacity(), b_.ensure_capacity()});
        for (; first != end; ++first) way_.put(get(first), a_, b_);
      }
    }
    part finish() && { return {std::move(a_).finish(), std::move(b_).finish()}; }

   private:
    Way way_;
    FolderA a_;
    FolderB b_;
  };
  auto begin(std::size_t position) const {
    using way = decltype(route_.way());
    using folder_a = decltype(a_.begin(position));
    using folder_b = decltype(b_.begin(position));
    return folder<way, folder_a, folder_b>(route_.way(), a_.begin(position), b_.begin(position));
  }
  part merge(part&& left, part&& right) const {
    return {a_.merge(std::move(left.first), std::move(right.first)),
            b_.merge(std::move(left.second), std::move(right.second))};
  }

 private:
  const Route& route_;
  const A& a_;
  const B& b_;
};

/// For pairs: the first half goes to `a`, the second to `b`.
struct halves_route {
  struct halves {
    template <class Item, class To>
    static constexpr bool puts = false;
    template <class Item, class A, class B>
    [[gnu::always_inline]] void operator()(Item&& item, A& a, B& b) const {
      using std::get;
      a.take(get<0>(static_cast<Item&&>(item)));
      b.take(get<1>(static_cast<Item&&>(item)));  // the other half: the first may be moved out
    }
  };
  halves way() const noexcept { return {}; }
};

/// By a predicate: items for which it is true go to `a`, the others to `b`.
template <class Pred, class Item>
class predicate_route {
 public:
  explicit predicate_route(const Pred& pred) noexcept : pred_(pred) {}

  class by_answer {
   public:
    /// Writes the item to both, so that no branch depends on the predicate.
    template <class I, class To>
    static constexpr bool puts = To::template writes_twice<seen_as<I>>;

    explicit by_answer(const Pred& pred) : pred_(pred) {}
    template <class I, class To>
    [[gnu::always_inline]] void operator()(I&& item, To& a, To& b) {
      if constexpr (puts<I, To>) {
        (void)a.ensure_capacity();
        (void)b.ensure_capacity();
        put(static_cast<I&&>(item), a, b);
      } else if (pred_(static_cast<seen_as<I>>(item))) {
        a.take(static_cast<I&&>(item));
      } else {
        b.take(static_cast<I&&>(item));
      }
    }
    /// Writes the item to both, which have storage for it. One of them counts it.
    template <class I, class To>
    requires(puts<I, To>) [[gnu::always_inline]] void put(I&& item, To& a, To& b) {
      const bool first = static_cast<bool>(pred_(static_cast<seen_as<I>>(item)));
      const auto value = static_cast<typename To::value>(static_cast<seen_as<I>>(item));
      a.put_if(first, value);
      b.put_if(!first, value);
    }

   private:
    function_for<Pred, seen_as<Item>> pred_;
  };
  by_answer way() const { return by_answer(pred_); }

 private:
  const Pred& pred_;
};

/// By the result of a function, which holds one of two alternatives.
template <class F, class Item>
class variant_route {
 public:
  explicit variant_route(const F& f) noexcept : f_(f) {}

  class by_kind {
   public:
    template <class I, class To>
    static constexpr bool puts = false;

    explicit by_kind(const F& f) : f_(f) {}
    template <class I, class A, class B>
    [[gnu::always_inline]] void operator()(I&& item, A& a, B& b) {
      auto&& made = f_(static_cast<I&&>(item));
      using Made = decltype(made);
      if constexpr (requires { made.has_value(); }) {
        if (made.has_value())
          a.take(*static_cast<Made>(made));
        else
          b.take(static_cast<Made>(made).error());
      } else {
        if (made.index() == 0)
          a.take(std::get<0>(static_cast<Made>(made)));
        else
          b.take(std::get<1>(static_cast<Made>(made)));
      }
    }

   private:
    function_for<F, Item> f_;
  };
  by_kind way() const { return by_kind(f_); }

 private:
  const F& f_;
};

/// The two alternatives of a type: those of a std::variant of two, or of an expected.
template <class Either>
struct two_kinds {};
template <class A, class B>
struct two_kinds<std::variant<A, B>> {
  using first = A;
  using second = B;
};
template <class T, class E>
requires(!std::is_void_v<T>) struct two_kinds<expected<T, E>> {
  using first = T;
  using second = E;
};

template <class Item>
concept pair_like = requires {
  requires std::tuple_size<std::remove_cvref_t<Item>>::value == 2;
};

/// Returns both containers, made from the parts that a chain has given.
template <class A, class B, class Run, class Part>
auto finish_both(A& a, B& b, const Run& run, std::optional<Part>&& parts) {
  using first = typename Part::first_type;
  using second = typename Part::second_type;
  std::optional<first> left;
  std::optional<second> right;
  if (parts) {
    left.emplace(std::move(parts->first));
    right.emplace(std::move(parts->second));
  }
  auto made = a.finish(run, std::move(left));
  return std::pair(std::move(made), b.finish(run, std::move(right)));
}

}  // namespace filch::detail

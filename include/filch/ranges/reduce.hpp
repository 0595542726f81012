// Consumers that combine all items of a parallel range into one value.
#pragma once

#include "filch/detail/base/sum_type.hpp"
#include "filch/detail/chain/range_part.hpp"
#include "filch/detail/chain/reduce.hpp"

namespace filch {

/// Consumers that combine items.
template <class Source, class Fork>
class range_reduce {
  using item = typename Source::item;
  using value = detail::decayed<item>;

 public:
  /// Combines all items by `op`, in their order; nullopt if there are none. Rayon: reduce_with.
  /// Standard library: std::reduce.
  ///
  /// How      op(a, b) is called with values and with items; it must be associative. Pairs with
  ///          references, as of zip() and enumerate(), are combined as pairs of values. Neighbours
  ///          are combined, the left one first. Sums and other operations of <functional> on
  ///          numbers are computed in several lanes, in another order.
  /// Returns  A value of the items' type.
  /// Throws, Threads  as for_each(); what `op` throws.
  /// Memory   A value for each leaf that is being worked on.
  /// Cost     A call for every item except one.
  ///
  ///     std::optional<int> largest = filch::par(v).reduce([](int a, int b) { return a > b ? a : b;
  ///     });
  template <class Op>
  [[nodiscard]] std::optional<value> reduce(Op op) {
    return detail::reduced(self(), op);
  }

  /// Combines `init` and all items by `op`. `init` is
  ///   a value         which is used once, and comes first: std::reduce, filch::reduce
  ///   a function      that returns a neutral value; every leaf begins with one: Rayon's reduce.
  ///                   Then items need not be of the result's type.
  ///
  /// Otherwise like reduce(op).
  ///
  ///     double sum = filch::par(v).reduce(0.0, std::plus{});
  ///     auto longest = filch::par(words).reduce([] { return std::string(); }, longer_one);
  template <class Init, class Op>
  [[nodiscard]] auto reduce(Init init, Op op) {
    return detail::reduced(self(), std::move(init), op);
  }

  /// Returns the sum of all items, as a value of their type or as a T; T() if there are none. The
  /// sum of integers narrower than int is a long long, or an unsigned long long. Rayon: sum.
  ///
  /// How      Numbers are added in several lanes. Integers are added modulo 2^n, so that a sum that
  ///          fits does not overflow on the way. Items of any other type are added in their order;
  ///          the type has a `+`, and a T() that changes nothing. For example, strings are joined.
  /// Throws, Threads, Memory, Cost  as reduce().
  ///
  ///     long total = filch::par(v).map(f).filter(p).sum<long>();
  template <class T = detail::sum_type<value>>
  [[nodiscard]] T sum() {
    static_assert(!std::same_as<T, bool>,
                  "filch: sum() of bools is a bool: sum<std::size_t>() counts those that are true");
    static_assert(detail::combines<std::plus<>, T, detail::combined<T, item>> &&
                      std::default_initializable<T>,
                  "filch: sum(): the sum begins with T(), and needs T + item and T + T");
    return detail::folded<T>(self(), std::plus<>(), [] { return T(); });
  }

  /// Returns the product of all items, as a value of their type or as a T; T(1) if there are none.
  /// Rayon: product. Otherwise like sum().
  ///
  ///     double all = filch::par(factors).product();
  template <class T = detail::sum_type<value>>
  [[nodiscard]] T product() {
    static_assert(!std::same_as<T, bool>,
                  "filch: product() of bools is a bool: all(...) says whether all are true");
    static_assert(detail::combines<std::multiplies<>, T, detail::combined<T, item>> &&
                      std::constructible_from<T, int>,
                  "filch: product(): the product begins with T(1), and needs T * item and T * T");
    return detail::folded<T>(self(), std::multiplies<>(), [] { return static_cast<T>(1); });
  }

  /// Returns the number of items. Rayon: count. Standard library: std::ranges::distance.
  ///
  /// How      All items are made, also if their number is known.
  /// Throws, Threads  as for_each().
  /// Memory   None.
  /// Cost     A pass over the items.
  ///
  ///     auto primes = filch::par(numbers).filter(is_prime).count();
  [[nodiscard]] std::size_t count() { return self().drive(detail::count_consumer()).value_or(0); }

  FILCH_REFUSED_ON_A_CONSTANT((), sum, product, count);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), reduce);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&), reduce);

 private:
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch

// Consumers of a parallel range that end with the first failure.
#pragma once

#include "filch/detail/chain/attempt.hpp"
#include "filch/detail/chain/collect.hpp"
#include "filch/detail/chain/range_part.hpp"
#include "filch/expected.hpp"

namespace filch {

/// Consumers whose functions return a filch::expected or a std::optional. The first result without
/// a value, in the order of the range, ends the loop. Leaves behind it do not start, but those
/// before it do, so the failure is always the same one. Exceptions are thrown as by for_each().
template <class Source, class Fork>
class range_try {
  using item = typename Source::item;

 public:
  /// Calls f(item) for each item until one fails. Rayon: try_for_each.
  ///
  /// Returns  For a function that returns expected<T, E>: an expected<void, E>, with the first
  ///          error if there was one. For an optional: an optional of nothing, which is empty if a
  ///          result was empty.
  /// Throws, Threads, Memory, Cost  as for_each().
  ///
  ///     filch::expected<void, std::string> done = filch::par(files).try_for_each(compress);
  template <class F>
  [[nodiscard]] auto try_for_each(F f) {
    return detail::try_each_of(self(), std::move(f));
  }

  /// Combines all items by a function that may fail: op(value, item) and op(value, value) return an
  /// expected or an optional of the value's type. Items that are expected or optional themselves,
  /// as after a map() that may fail, are unwrapped, and the first one without a value is the
  /// result. Rayon: try_reduce.
  ///
  /// How      `init` is a neutral value, or a function that makes one: every leaf begins with
  ///          it.
  /// Returns  What `op` returns.
  /// Throws, Threads, Memory, Cost  as reduce().
  ///
  ///     filch::expected<int, error> sum = filch::par(v).try_reduce(0, checked_add);
  template <class Init, class Op>
  [[nodiscard]] auto try_reduce(Init init, Op op) {
    return detail::try_fold_of(self(), std::move(init), op, op);
  }

  /// Does the same with two functions: fold(value, item) adds an item, and combine(value, value)
  /// combines two neighbours. Either may fail (return an expected or an optional) or not (return a
  /// value). Rayon: try_fold and try_reduce.
  ///
  ///     auto total = filch::par(lines).try_fold(0L, add_number_of_line, std::plus{});
  template <class Init, class Fold, class Combine>
  [[nodiscard]] auto try_fold(Init init, Fold f, Combine combine) {
    return detail::try_fold_of(self(), std::move(init), f, combine);
  }

  /// Returns a container of the values of items that are expected or optional, as to() makes it.
  /// Rayon: collect into a Result.
  ///
  /// Returns  An expected (or an optional) of the container; if an item has no value, the error of
  ///          the first such item (or an empty optional).
  /// Throws, Threads, Memory, Cost  as to() of items without positions.
  ///
  ///     filch::expected<std::vector<int>, error> all =
  ///     filch::par(words).map(parse).try_to<std::vector>();
  template <class Container>
  [[nodiscard]] auto try_to() {
    using value = detail::opened_value<item>;
    detail::require_collectable<Container, value>();
    detail::gathering_collector<Container, value> made;
    return detail::try_collect_of<Container>(self(), made);
  }
  template <template <class...> class Container>
  [[nodiscard]] auto try_to() {
    return try_to<detail::container_of<Container, detail::decayed<detail::opened_value<item>>>>();
  }

  FILCH_REFUSED_ON_A_CONSTANT((), try_to);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), try_for_each);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&), try_reduce);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&, auto&&), try_fold);
  template <template <class...> class>
  FILCH_REFUSED(FILCH_RANGE_IS_CONSTANT(try_to), try_to() const&);

 private:
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch

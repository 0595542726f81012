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
    detail::require_function<F, item>();
    using R = detail::function_result<F, item>;
    static_assert(detail::attempt<R>,
                  "filch: try_for_each(f): f must return a filch::expected or a std::optional");
    using traits = detail::traits_of_attempt<R>;
    detail::require_lasting<typename traits::failure>();
    using result = typename traits::template rebind<void>;
    const detail::failures_stage<F> failures{std::move(f)};
    auto failure =
        detail::find_made<typename traits::failure, plumbing::wanted::first>(self(), failures);
    if (failure) return traits::template failed<void>(*std::move(failure));
    return result(std::in_place);
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
    return attempt_fold(std::move(init), op, op);
  }

  /// Does the same with two functions: fold(value, item) adds an item, and combine(value, value)
  /// combines two neighbours. Either may fail (return an expected or an optional) or not (return a
  /// value). Rayon: try_fold and try_reduce.
  ///
  ///     auto total = filch::par(lines).try_fold(0L, add_number_of_line, std::plus{});
  template <class Init, class Fold, class Combine>
  [[nodiscard]] auto try_fold(Init init, Fold f, Combine combine) {
    return attempt_fold(std::move(init), f, combine);
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
    require_attempts();
    using opened = decltype(*std::declval<item>());
    detail::require_collectable<Container, opened>();
    using traits = detail::traits_of_attempt<item>;
    using result = typename traits::template rebind<Container>;
    detail::gathering_collector<Container, opened> made;
    return self().run([&](const auto& run) -> result {
      const auto behind = made.consumer();
      using consumer = detail::values_consumer<item, decltype(made.consumer())>;
      auto all = plumbing::drive(run, self().source(), consumer{behind});
      if (!all) return result(std::in_place);
      if (all->failure) return traits::template failed<Container>(*std::move(all->failure));
      return result(std::in_place, made.finish(run, std::optional(std::move(all->values))));
    });
  }
  template <template <class...> class Container>
  [[nodiscard]] auto try_to() {
    require_attempts();
    using value = detail::decayed<decltype(*std::declval<item>())>;
    return try_to<detail::container_of<Container, value>>();
  }

  FILCH_REFUSED_ON_A_CONSTANT((), try_to);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&), try_for_each);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&), try_reduce);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&, auto&&), try_fold);
  template <template <class...> class>
  FILCH_REFUSED(FILCH_RANGE_IS_CONSTANT(try_to), try_to() const&);

 private:
  static constexpr void require_attempts() {
    static_assert(detail::attempt<item>,
                  "filch: try_to(): the items must be filch::expected or std::optional; map(f) to "
                  "such ones first");
  }
  template <class Init, class Fold, class Combine>
  auto attempt_fold(Init init, Fold& f, Combine& combine) {
    using make = detail::neutral_value<Init>;
    using T = std::invoke_result_t<const make&>;
    // Items are unwrapped if the function cannot take them as they are.
    constexpr bool open = detail::attempt<item> && !detail::chain_function<Fold, T, item>;
    using folded = typename detail::opened<item, open>::type;
    static_assert(detail::chain_function<Fold, T, folded>,
                  "filch: try_fold(init, fold, combine): fold must be callable with a value of "
                  "init's type and an item of this range");
    static_assert(detail::chain_function<Combine, T, T>,
                  "filch: try_fold(init, fold, combine): combine must be callable with two values "
                  "of init's type");
    using R = std::remove_cvref_t<detail::function_result<Fold, T, folded>>;
    detail::require_lasting<R>();
    static_assert(
        requires { requires std::same_as<typename detail::traits_of_attempt<R>::value, T>; },
        "filch: try_fold(init, fold, combine): fold must return a filch::expected or a "
        "std::optional of init's type");
    const make neutral{std::move(init)};
    auto all = self().drive(
        detail::try_fold_consumer<R, T, item, open, Fold, Combine, make>{f, combine, neutral});
    return all ? *std::move(all) : R(neutral());
  }
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch

// Consumers that call a function for each item of a parallel range.
#pragma once

#include "filch/detail/chain/each.hpp"
#include "filch/detail/chain/range_part.hpp"

namespace filch {

/// Consumers without a result.
template <class Source, class Fork>
class range_for_each {
  using item = typename Source::item;

 public:
  /// Calls f(item) for each item, several at once. Rayon: for_each. Standard library:
  /// std::ranges::for_each.
  ///
  /// How      In leaves; within a leaf the order is that of the range. A function that can be
  ///          called as const is shared by all threads; any other is copied for every leaf.
  /// Throws   What the functions of the chain throw; of several exceptions the leftmost one.
  ///          Leaves that had not started are skipped. `cancelled` if the stop token of the
  ///          options is asked to stop.
  /// Threads  Any; the calling thread takes part.
  /// Memory   None.
  /// Cost     As a loop over the items, and the cost of dividing them: see parallel_for().
  ///
  ///     filch::par(v).for_each([](int& x) { x *= 2; });
  template <class F>
  void for_each(F f) {
    detail::require_function<F, item>();
    (void)self().drive(detail::each_consumer<F, item>{{}, f});
  }

  /// Calls f(state, item) for each item, with a state that no other thread uses at that moment:
  /// scratch memory, a random number generator. Rayon: for_each_init.
  ///
  /// How      A leaf takes a state that another leaf has left, or calls make() if there is
  ///          none: so about one state is made for each worker. A task that runs while `f` waits
  ///          has another state.
  /// Throws, Threads, Cost  as for_each(); what make() throws. A lock is taken for each leaf.
  /// Memory   A state for each worker; the states are destroyed at the end.
  ///
  ///     filch::par(words).for_each_init([] { return std::string(); },
  ///                                     [](std::string& line, const std::string& word) { ... });
  template <class Make, class F>
  void for_each_init(Make make, F f) {
    static_assert(detail::chain_function<Make>,
                  "filch: for_each_init(make, f): make must be callable without arguments");
    using state = typename detail::state_pool<Make>::state;
    static_assert(detail::chain_function<F, state&, item>,
                  "filch: for_each_init(make, f): f must be callable with a reference to what make "
                  "returns, and an item of this range");
    detail::state_pool<Make> states(make);
    (void)self().drive(detail::each_with_consumer<Make, F, item>{{}, states, f});
  }

  FILCH_REFUSED_ON_A_CONSTANT((auto&&), for_each);
  FILCH_REFUSED_ON_A_CONSTANT((auto&&, auto&&), for_each_init);

 private:
  auto& self() noexcept { return static_cast<par_range<Source, Fork>&>(*this); }
};

}  // namespace filch

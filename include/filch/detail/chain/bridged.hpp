// A source of items that are read one after the other.
#pragma once

#include <deque>

#include "filch/detail/chain/running.hpp"
#include "filch/detail/chain/source_of.hpp"
#include "filch/detail/chain/state_pool.hpp"
#include "filch/detail/kernel/bridge.hpp"

namespace filch::detail {

/// Calls the function that `open()` returns until it returns nothing.
template <class Open>
struct bridged_source {
  using optional_item = std::invoke_result_t<std::invoke_result_t<Open&>&>;
  using value = typename optional_item::value_type;
  using item = value&&;
  static constexpr bool gives_away = true;
  mutable Open open;

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    return run.o.deterministic ? drive_in_order(run, consumer) : drive_as_read(run, consumer);
  }

  /// Where the order matters, this many items are read before they are processed.
  static constexpr std::size_t read_at_once = 1024;

  /// Reads `read_at_once` items, runs them through the chain as if they were in a container, then
  /// reads the next ones.
  template <class Fork, class Consumer>
  auto drive_in_order(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    if constexpr (!std::move_constructible<value>) {
      throw usage_error(
          "filch: par_bridge() with options::deterministic: items have to wait until it is their "
          "turn, and these cannot be moved. Read pointers to them");
    } else {
      options o = run.o;
      o.progress = {};
      running_part<Consumer> all(consumer, 0, run.above);
      auto source = open();
      std::size_t done = 0;
      for (bool ended = false; !ended && !all.full() && run.goes_on();) {
        std::deque<value> items;
        while (!ended && items.size() != read_at_once) {
          if (is_to_end(o)) detail::refuse_to_read_on(o);
          if (optional_item next = source())
            items.push_back(*std::move(next));
          else
            ended = true;
        }
        const std::size_t read = items.size();
        done += read;
        all.add(plumbing::drive(plumbing::run<Fork>{run.fork, o, run.above},
                                owned_source<std::deque<value>>{std::move(items)}, consumer));
        if (run.o.progress && read != 0) run.o.progress(done, done);
      }
      return std::move(all).finish();
    }
  }

  /// A thread adds each item to any part that no other thread uses at that moment. So the order is
  /// unspecified.
  template <class Fork, class Consumer>
  auto drive_as_read(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    using part = running_part<Consumer>;
    const auto begin = [&] { return part(consumer, 0, run.above); };
    state_pool<decltype(begin)> parts(begin);
    std::atomic<bool> is_enough{false};
    auto source = open();
    auto next = [&]() -> optional_item {
      if (is_enough.load(std::memory_order_relaxed)) return std::nullopt;  // orders nothing: a hint
      if (!run.goes_on()) return std::nullopt;
      return source();
    };
    auto work = [&](value&& each) {
      const auto mine = parts.borrow();
      if (mine->full()) return;  // because of an item that was read earlier
      mine->folder().take(std::move(each));
      if (mine->full()) is_enough.store(true, std::memory_order_relaxed);  // orders nothing: a hint
    };
    detail::bridge_with<value>(run.fork, next, work, run.o);
    part all(consumer, 0, run.above);
    parts.for_each([&](part& one) { all.add(std::move(one).finish()); });
    return std::move(all).finish();
  }
};

/// Calls a function that was moved in.
template <class Next>
struct open_generator {
  Next next;
  auto operator()() {
    return [this] { return std::invoke(next); };
  }
};

/// Reads from one iterator to another.
template <std::input_iterator I, std::sentinel_for<I> S>
struct open_iterators {
  I first;
  S last;
  auto operator()() { return detail::copies_from(std::move(first), std::move(last)); }
};

/// Reads a range that was moved in. Elements that the range owns are moved out.
template <std::ranges::input_range R>
struct open_range {
  R range;
  auto operator()() {
    if constexpr (gives_elements<R>)
      return detail::items_from<std::ranges::range_value_t<R>>(
          std::ranges::begin(range), std::ranges::end(range), std::ranges::iter_move);
    else
      return detail::copies_from(std::ranges::begin(range), std::ranges::end(range));
  }
};

}  // namespace filch::detail

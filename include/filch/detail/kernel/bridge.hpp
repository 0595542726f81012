// Runs a function on items that one thread at a time reads from a source.
#pragma once

#include <iterator>

#include "filch/detail/base/early_end.hpp"
#include "filch/detail/base/finally.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/grain_controller.hpp"
#include "filch/isolate.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// The number of items that may be worked on at once. Each is a fork within the fork of the item
/// before it.
inline constexpr std::size_t bridge_depth = 128;
/// The number of items that may be read while the item before them waits for its thread to start
/// it. Usually there is at most one, because the thread that read an item is about to start it. But
/// that thread may be delayed, or a fork may call the other branch first. Then, with an endless
/// source, the item would never get its turn.
inline constexpr std::size_t bridge_items = 1024;

/// A function that changes elements where they are: it takes a reference to one, and no copy.
template <class F, class I>
concept changes_elements =
    std::forward_iterator<I> && std::is_lvalue_reference_v<std::iter_reference_t<I>> &&
    std::invocable<F&, std::iter_reference_t<I>> && !std::invocable<F&, std::iter_value_t<I>>;

[[noreturn, gnu::cold]] inline void refuse_to_read_on(const options& o) {
  detail::throw_cancelled(o, "bridge()");
}

/// One call of bridge(). `next` returns a std::optional<T>, which is empty at the end.
///
/// The thread that has read an item works on it, and leaves the reading to a thief. If no thief
/// comes, the thread reads on when the item is done. So there is one reader at a time, and an item
/// that has been read does not wait for another item.
///
/// A thread that has taken over the reading goes on while the item before its own is in work. Then
/// it returns the reading to the thread of that item, which goes on. Otherwise every theft would
/// need more stack. Items that overlap still need stack, one fork each. At depth `bridge_depth` the
/// reader works on an item without a fork. Meanwhile the items before it end, and with them the
/// forks down to the next long item. A source that is slower than the items also makes the forks
/// deeper: the item before is done while the reader waits for the next one. Deeper than
/// half of `bridge_depth`, such a reader gives its item back together with the reading. They go to
/// the nearest thread above whose item before is not done.
template <class T, fork_policy Fork, class Next, class F>
class bridge_run {
 public:
  bridge_run(const Fork& fork, Next& next, F& f, const options& o)
      : fork_(fork), next_(next), f_(f), options_(o) {}

  std::size_t run() {
    const std::atomic<stage> always{stage::begun};
    go_on(always, 0, fork_.here());
    if (!ended_) detail::refuse_to_read_on(options_);
    report();
    return done_;
  }

 private:
  enum class stage : unsigned char { waiting, begun, done };

  /// Reads and works until there are no more items, or until the item before this call's items is
  /// done. `forked_on` is the thread whose fork left this call to be run.
  void go_on(const std::atomic<stage>& before, std::size_t depth, std::uintptr_t forked_on) {
    for (;;) {
      const stage s = before.load(std::memory_order_relaxed);  // orders nothing: a hint
      if (s == stage::done) return;
      if (s == stage::begun || is_thief(forked_on)) left_ = bridge_items;
      std::optional<T> item = next_item();
      if (!item) return;
      if (depth > bridge_depth / 2 && gives_back(item, before)) return;
      if (depth + 1 == bridge_depth) {
        work(item);
      } else {
        std::atomic<stage> now{stage::waiting};
        ticks spent = 0;
        fork_(
            [&] {
              now.store(stage::begun, std::memory_order_relaxed);  // orders nothing: a hint
              const finally end([&] {
                now.store(stage::done, std::memory_order_relaxed);  // orders nothing: a hint
              });
              const ticks start = fork_.now();
              work(item);
              spent = fork_.now() - start;
            },
            [&, here = fork_.here()] { go_on(now, depth + 1, here); });
        quick_ = spent < ticks_of_a_leaf / 10;
      }
      ++done_;
      report();
    }
  }

  /// Does the calling thread run a branch that it stole from `forked_on`? Then that thread works on
  /// the item before, or is about to. (A fork of the tests may only pretend to.)
  bool is_thief(std::uintptr_t forked_on) const noexcept {
    return std::is_same_v<Fork, parallel_fork> && fork_.here() != forked_on;
  }

  /// Returns the item that a reader further down has given back, or else reads one.
  std::optional<T> next_item() {
    if (given_back_) return std::exchange(given_back_, std::nullopt);
    do_quick_ones();
    if (left_ == 0) return std::nullopt;
    --left_;
    return read();
  }

  /// If the item before is done, leaves `item` for the thread that gets the reading back, and
  /// returns true.
  bool gives_back(std::optional<T>& item, const std::atomic<stage>& before) {
    if (before.load(std::memory_order_relaxed) != stage::done) return false;  // orders nothing
    given_back_.emplace(*std::move(item));
    return true;
  }

  /// Works on items without a fork, for as long as they take less than it costs to hand over the
  /// reading (about a microsecond), as the last ones did.
  void do_quick_ones() {
    ticks now = fork_.now();
    const ticks since = now;
    for (; quick_ && left_ > 1; --left_) {
      std::optional<T> item = read();
      if (!item) return;
      work(item);
      ++done_;
      const ticks last = std::exchange(now, fork_.now());
      quick_ = now - last < ticks_of_a_leaf / 10;
      if (now - since > ticks_of_a_leaf) return;
    }
  }

  /// Returns the next item; nullopt if there is none, or if the call ends early.
  std::optional<T> read() {
    if (ended_ || is_to_end(options_)) return std::nullopt;
    if (failed_.load(std::memory_order_relaxed)) return std::nullopt;  // orders nothing: a hint
    std::optional<T> item = std::invoke(next_);
    if (item)
      ++read_;
    else
      ended_ = true;
    return item;
  }

  /// Calls `f` with the item, and destroys the item. The call is isolated: a wait in `f` must not
  /// run the reading, where the source may block, nor another job that wants what `f` holds.
  void work(std::optional<T>& item) {
    try {
      filch::isolate([&] { std::invoke(f_, *std::move(item)); });
      item.reset();
    } catch (...) {
      failed_.store(true, std::memory_order_relaxed);  // orders nothing: a hint
      item.reset();
      throw;
    }
  }

  void report() {
    if (!options_.progress || reported_ == done_) return;
    reported_ = done_;
    options_.progress(done_, read_);
  }

  const Fork& fork_;
  Next& next_;
  F& f_;
  const options& options_;
  std::atomic<bool> failed_{false};
  // Used by the reader only. The forks order the handing over of the reading, and its return.
  std::optional<T> given_back_;
  bool ended_ = false;
  bool quick_ = false;
  std::size_t left_ = 0;
  std::size_t read_ = 0;
  std::size_t done_ = 0;
  std::size_t reported_ = 0;
};

template <class T, fork_policy Fork, class Next, class F>
std::size_t bridge_with(const Fork& fork, Next& next, F& f, const options& o) {
  return bridge_run<T, Fork, Next, F>(fork, next, f, o).run();
}

/// The type of the items that next() returns, by value or by reference.
template <class Next>
using given_by = typename std::remove_cvref_t<std::invoke_result_t<Next&>>::value_type;

/// A function that returns optional items until it returns none.
template <class Next>
concept generator = std::invocable<Next&> && requires {
  typename given_by<Next>;
  requires std::same_as<std::remove_cvref_t<std::invoke_result_t<Next&>>,
                        std::optional<given_by<Next>>>;
};

/// Returns a function that reads items from an iterator: each is made of take(iterator). It
/// advances the iterator when the next item is asked for, not before, because advancing may block
/// until that item has come.
template <class T, class I, class S, class Take>
auto items_from(I first, S last, Take take) {
  return [i = std::move(first), last = std::move(last), take,
          given = false]() mutable -> std::optional<T> {
    if (given) ++i;
    given = i != last;
    if (!given) return std::nullopt;
    return std::optional<T>(std::in_place, take(i));
  };
}

/// The same for copies of what the iterator refers to.
template <class I, class S>
auto copies_from(I first, S last) {
  return detail::items_from<std::iter_value_t<I>>(std::move(first), std::move(last),
                                                  [](I& i) -> decltype(auto) { return *i; });
}

}  // namespace filch::detail

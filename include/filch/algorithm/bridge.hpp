// From items that come one after the other to threads that work at once.
#pragma once

#include "filch/detail/base/config.hpp"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/split/fork.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/ticks.hpp"
#include "filch/errors.hpp"
#include "filch/isolate.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// So many items may be worked on at once: each is a fork within the one before it.
inline constexpr std::size_t bridge_depth = 128;
/// And so many, no more, before somebody works on an item that has been read. That is seldom more
/// than one: who has read it is about to begin. But its thread may be kept from it, or a fork may
/// call the other branch first, and of a source without end the item would never have its turn.
inline constexpr std::size_t bridge_items = 1024;

[[noreturn, gnu::cold]] inline void refuse_to_read_on() {
  throw cancelled("filch::bridge(): was asked to stop by its options, and reads no further");
}

/// `next` gives std::optional<T>, nothing at the end. Whoever has read an item works on it, and
/// leaves the reading to a thief; if none comes, it reads on when the item is done. So there is one
/// reader at a time, and an item that has been read waits for nothing.
///
/// Whoever has taken over the reading goes on for as long as the item of the one before it takes;
/// then it returns to that one, which goes on. Otherwise every theft would need some more stack.
/// Items that overlap need some all the same, each a fork more, until at `bridge_depth` one is done
/// without: meanwhile those before it end, and the forks down to the next long item with them.
/// Also a source that is slower than the items makes it deeper: the item before is done while the
/// reader waits for the next one. Half way down such a reader gives that one back with the reading,
/// to whoever is next to an item that is not done.
template <class T, fork_policy Fork, class Next, class F>
class bridge_run {
 public:
  bridge_run(const Fork& fork, Next& next, F& f, const options& o)
      : fork_(fork), next_(next), f_(f), options_(o) {}

  std::size_t run() {
    const std::atomic<stage> always{stage::begun};
    go_on(always, 0, fork_.here());
    if (!ended_) detail::refuse_to_read_on();
    tell();
    return done_;
  }

 private:
  enum class stage : unsigned char { waiting, begun, done };

  /// Reads and works until there is no more, or the item before this is done.
  /// `forked_on` is the thread whose fork left this to be run.
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
              const turn mine(now);
              const ticks start = fork_.now();
              work(item);
              spent = fork_.now() - start;
            },
            [&, here = fork_.here()] { go_on(now, depth + 1, here); });
        quick_ = spent < ticks_of_a_leaf / 10;
      }
      ++done_;
      tell();
    }
  }

  /// Does the calling thread run a branch that it stole from `forked_on`? Then that thread works on
  /// the item before, or is about to. (A fork of the tests may only pretend to.)
  bool is_thief(std::uintptr_t forked_on) const noexcept {
    return std::is_same_v<Fork, parallel_fork> && fork_.here() != forked_on;
  }

  /// What a reader further down has given back, else what it reads.
  std::optional<T> next_item() {
    if (given_back_) {
      std::optional<T> item = std::move(given_back_);
      given_back_.reset();
      return item;
    }
    do_quick_ones();
    if (left_ == 0) return std::nullopt;
    --left_;
    return read();
  }

  /// If the item before has been done by now, this one goes to whoever gets back the reading.
  bool gives_back(std::optional<T>& item, const std::atomic<stage>& before) {
    if (before.load(std::memory_order_relaxed) != stage::done) return false;  // orders nothing
    given_back_.emplace(*std::move(item));
    return true;
  }

  /// Handing over the reading takes a microsecond or so. If items take less than that, as the last
  /// ones did, some of them are done without.
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

  /// The next item; nothing if there is none, or none is wanted any more.
  std::optional<T> read() {
    if (ended_ || options_.stop.stop_requested()) return std::nullopt;
    if (failed_.load(std::memory_order_relaxed)) return std::nullopt;  // orders nothing: a hint
    std::optional<T> item = std::invoke(next_);
    if (item)
      ++read_;
    else
      ended_ = true;
    return item;
  }

  /// There is an item, and none afterwards. A wait in here must not run the reading, where the
  /// source may block, nor anything else that wants what `f` holds.
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

  void tell() {
    if (!options_.progress || told_ == done_) return;
    told_ = done_;
    options_.progress(done_, read_);
  }

  /// An item has begun, and is done at the end, whatever the end.
  class turn {
   public:
    explicit turn(std::atomic<stage>& s) noexcept : stage_(s) {
      stage_.store(stage::begun, std::memory_order_relaxed);  // orders nothing: a hint
    }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;
    ~turn() { stage_.store(stage::done, std::memory_order_relaxed); }  // orders nothing: a hint

   private:
    std::atomic<stage>& stage_;
  };

  const Fork& fork_;
  Next& next_;
  F& f_;
  const options& options_;
  std::atomic<bool> failed_{false};
  // The reader's: who takes over the reading, and who gets it back, is ordered by the forks.
  std::optional<T> given_back_;
  bool ended_ = false;
  bool quick_ = false;
  std::size_t left_ = 0;
  std::size_t read_ = 0;
  std::size_t done_ = 0;
  std::size_t told_ = 0;
};

template <class T, fork_policy Fork, class Next, class F>
std::size_t bridge_with(const Fork& fork, Next& next, F& f, const options& o) {
  return bridge_run<T, Fork, Next, F>(fork, next, f, o).run();
}

/// What next() gives an optional of, be it by value or by reference.
template <class Next>
using given_by = typename std::remove_cvref_t<std::invoke_result_t<Next&>>::value_type;

/// A function that gives items until it gives nothing.
template <class Next>
concept generator = std::invocable<Next&> && requires {
  typename given_by<Next>;
  requires std::same_as<std::remove_cvref_t<std::invoke_result_t<Next&>>,
                        std::optional<given_by<Next>>>;
};

/// A step is made when the next item is asked for, not before: it may block until that has come.
template <class I, class S>
auto items_from(I& i, const S& last) {
  return [&i, &last, given = false]() mutable -> std::optional<std::iter_value_t<I>> {
    if (given) ++i;
    given = i != last;
    if (!given) return std::nullopt;
    return std::optional<std::iter_value_t<I>>(std::in_place, *i);
  };
}

}  // namespace detail

/// Calls f(item) for every item that next() gives, several at once, until that gives nothing: a
/// bridge from a source that is read one by one (a file, a socket, a generator) to parallel work.
/// Rayon's par_bridge; oneTBB's parallel_for_each over input iterators.
///
/// How      next() returns a std::optional. It is called by one thread at a time, not always the
///          same one, while others work. Nothing is read ahead: who has read an item works on it,
///          and somebody idle goes on reading; if all are busy, the next item is asked for when
///          this one is done. So a slow source delays nothing, and nobody spins meanwhile. `f` gets
///          an rvalue of the item, which is destroyed when `f` returns; waits in `f` run nothing
///          but what `f` has spawned, as in isolate() (on a thread outside of every pool they may
///          end up in next()). The order in which items are worked on is not specified.
/// Returns  How many items there were.
/// Options  stop, priority, on, isolate. grain means nothing here. progress: `total` is what has
///          been read so far. A source that blocks in next() is not interrupted by `stop`.
/// Throws   What `f` or `next` threw; `filch::suppressed()` has the others. Then nothing is read
///          any more, and `f` may not be called for an item that has been. `cancelled` if it ended
///          because of `stop`.
/// Threads  Any. Some worker blocks as long as next() does: wrap next() in blocking() if what feeds
///          it runs on the same pool.
/// Memory   What came before the call and what next() did is seen by `f`; what `f` did is seen on
///          return; what a call of next() did is seen by the next one.
/// Cost     A fork for each item (see join) and some tens of nanoseconds; less for items that take
///          less than a microsecond, which are not worth a thief: who has read some of these reads
///          the next one, too, so that one among them that takes long holds up the reading. At most
///          128 items are worked on at once; how many others are done meanwhile is not limited.
///
///     filch::bridge([&]() -> std::optional<job> { return queue.next(); }, run);
template <detail::generator Next, class F>
requires std::invocable<F&, detail::given_by<Next>> std::size_t bridge(Next&& next, F&& f,
                                                                       const options& o = {}) {
  using T = detail::given_by<Next>;
  return detail::launch(
      o, [&] { return detail::bridge_with<T>(detail::parallel_fork{}, next, f, o); });
}

/// The same for the elements from `first` up to `last`, which may be input iterators.
///
///     filch::bridge(std::istream_iterator<int>(in), std::istream_iterator<int>(), f);
template <std::input_iterator I, std::sentinel_for<I> S, class F>
requires std::invocable<F&, std::iter_value_t<I>> std::size_t bridge(I first, S last, F&& f,
                                                                     const options& o = {}) {
  auto next = detail::items_from(first, last);
  return detail::launch(o, [&] {
    return detail::bridge_with<std::iter_value_t<I>>(detail::parallel_fork{}, next, f, o);
  });
}

/// The same for the elements of a range: a std::list, a std::map, a generator.
template <std::ranges::input_range R, class F>
requires std::invocable<F&, std::ranges::range_value_t<R>> std::size_t bridge(
    R&& range, F&& f, const options& o = {}) {
  return filch::bridge(std::ranges::begin(range), std::ranges::end(range), f, o);
}

}  // namespace filch

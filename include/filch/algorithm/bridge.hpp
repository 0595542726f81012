// From items that come one after the other to threads that work at once.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/splitter.hpp"
#include "filch/errors.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// Two batches: while one is read, the other is worked on. Reading goes on until the other batch is
/// done, so that nobody waits for more items than there are; but not beyond `bridge_items`, and if
/// nobody has begun with the other batch, only for as long as a leaf takes.
inline constexpr std::size_t bridge_items = 1024;

/// What the reader of one batch wants to know about the other.
class batch_state {
 public:
  void begin() noexcept {
    begun_.store(true, std::memory_order_relaxed);  // orders nothing: a hint
  }
  void end() noexcept {
    ended_.store(true, std::memory_order_relaxed);  // orders nothing: a hint
  }
  bool begun() const noexcept {
    return begun_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }
  bool ended() const noexcept {
    return ended_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }

 private:
  std::atomic<bool> begun_{false};
  std::atomic<bool> ended_{false};
};

/// `next` gives std::optional<T>, nothing at the end. It is called by the calling thread only.
template <class T, fork_policy Fork, class Next, class F>
class bridge_run {
 public:
  bridge_run(const Fork& fork, Next& next, F& f, const options& o)
      : fork_(fork), next_(next), f_(f), options_(o) {
    options_.progress = {};
  }

  std::size_t run(const options& o) {
    batch_state none;
    none.end();
    std::vector<T> working = read(none);
    std::size_t done = 0;
    while (!working.empty()) {
      batch_state state;
      std::vector<T> coming;
      fork_([&] { coming = read(state); }, [&] { work(working, state); });
      done += working.size();
      working = std::move(coming);
      if (o.progress) o.progress(done, done + working.size());
    }
    if (!ended_)
      throw cancelled("filch::bridge(): was asked to stop by its options, and reads no further");
    return done;
  }

 private:
  std::vector<T> read(const batch_state& other) {
    std::vector<T> batch;
    const ticks since = fork_.now();
    while (!ended_ && batch.size() != bridge_items && !options_.stop.stop_requested()) {
      std::optional<T> item = std::invoke(next_);
      if (!item) {
        ended_ = true;
        break;
      }
      batch.push_back(*std::move(item));
      if (other.ended()) break;
      if (!other.begun() && fork_.now() - since > ticks_of_a_leaf) break;
    }
    return batch;
  }

  void work(std::vector<T>& batch, batch_state& state) {
    struct ending {
      batch_state& state;
      ~ending() { state.end(); }
    } const at_the_end{state};
    state.begin();
    for_blocks(fork_, batch.size(), options_, [&](std::size_t from, std::size_t to) {
      for (; from != to; ++from) std::invoke(f_, std::move(batch[from]));
    });
  }

  const Fork& fork_;
  Next& next_;
  F& f_;
  options options_;
  bool ended_ = false;
};

template <class T, fork_policy Fork, class Next, class F>
std::size_t bridge_with(const Fork& fork, Next& next, F& f, const options& o) {
  return bridge_run<T, Fork, Next, F>(fork, next, f, o).run(o);
}

/// A function that gives items until it gives nothing.
template <class Next>
concept generator = std::invocable<Next&> && requires(std::invoke_result_t<Next&> item) {
  typename std::remove_cvref_t<decltype(item)>::value_type;
  requires std::same_as<std::remove_cvref_t<decltype(item)>,
                        std::optional<typename std::remove_cvref_t<decltype(item)>::value_type>>;
};

template <class I, class S>
auto items_from(I& i, const S& last) {
  return [&]() -> std::optional<std::iter_value_t<I>> {
    if (i == last) return std::nullopt;
    std::optional<std::iter_value_t<I>> item(*i);
    ++i;
    return item;
  };
}

}  // namespace detail

/// Calls f(item) for every item that next() gives, several at once, until that gives nothing: a
/// bridge from a source that is read one by one (a file, a socket, a generator) to parallel work.
/// Rayon's par_bridge; oneTBB's parallel_for_each over input iterators.
///
/// How      next() returns a std::optional. It is called by one thread at a time, while others
///          work; items that were read and not handed out yet are at most a few thousand. As soon
///          as all of them are done, the next one is handed out when it comes: a slow source delays
///          nothing, and nobody spins meanwhile. `f` gets an rvalue. The order in which items are
///          worked on is not specified.
/// Returns  How many items there were.
/// Options  stop, priority, on, isolate; grain: items. progress: `total` is what has been read so
///          far. A source that blocks in next() is not interrupted by `stop`.
/// Throws   What `f` or `next` threw; `filch::suppressed()` has the others. Then nothing is read
/// any
///          more, and what has been read but not started is dropped. `cancelled` if it ended
///          because of `stop`. `std::bad_alloc`.
/// Threads  Any. A worker that calls it blocks as long as next() does: see blocking().
/// Memory   What came before the call and what next() did is seen by `f`; what `f` did is seen on
///          return.
/// Cost     A place in a list for each item. If one item takes much longer than the others, at most
///          a thousand behind it are worked on meanwhile.
///
///     filch::bridge([&]() -> std::optional<job> { return queue.next(); }, run);
template <detail::generator Next, class F>
requires std::invocable<F&, typename std::invoke_result_t<Next&>::value_type> std::size_t bridge(
    Next&& next, F&& f, const options& o = {}) {
  using T = typename std::invoke_result_t<Next&>::value_type;
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

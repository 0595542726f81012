// bridge: parallel work on items that are read one after the other.
#pragma once

#include "filch/detail/kernel/bridge.hpp"
#include "filch/detail/kernel/front.hpp"

namespace filch {

/// Calls f(item) for every item that next() returns, several at once, until next() returns nullopt.
/// It connects a source that is read one by one (a file, a socket, a generator) to parallel work.
/// Rayon: par_bridge. oneTBB: parallel_for_each over input iterators.
///
/// How      next() returns a std::optional. One thread at a time calls it, not always the same one,
///          while other threads work. Nothing is read ahead: a thread that has read an item works
///          on it, and an idle thread reads the next one. If no thread is idle, the first thread
///          that has finished its item reads the next one. So a slow source delays no item that has
///          been read, and no thread spins meanwhile. `f` gets an rvalue of the item, which is
///          destroyed when `f` returns. A wait in `f` runs only what `f` has spawned, as in
///          isolate(); on a thread outside of every pool it may call next(). The order in which
///          items are worked on is not specified.
/// Returns  The number of items.
/// Options  stop, priority, on, isolate, deadline. max_workers: at most so many threads read and
///          call `f` at once; a join, loop or scope in `f` is a call of its own, because `f` is
///          isolated. grain has no effect. progress: `total` is the number of items read so far.
///          `stop` and `deadline` do not interrupt a source that blocks in next().
/// Throws   What `f` or `next` threw; `filch::suppressed()` has the others. After an exception
///          nothing more is read, and `f` may not be called for an item that has been read.
///          `cancelled` if the call ended because of `stop` or `deadline`.
/// Threads  Any. A worker blocks as long as next() does: wrap next() in blocking() if its data come
///          from the same pool.
/// Memory   `f` sees what came before the call and what next() did. The caller sees what `f` did
///          when the call returns. A call of next() sees what the call before it did.
/// Cost     A fork for each item (see join) and some tens of nanoseconds. Items that take less than
///          a microsecond cost less, because they are not offered to a thief: the thread that has
///          read several of them also reads the next. A long item among them therefore delays the
///          reading. At most 128 items are worked on at once; how many others are done meanwhile is
///          not limited.
///
///     filch::bridge([&]() -> std::optional<job> { return queue.next(); }, run);
template <detail::generator Next, class F>
requires std::invocable<F&, detail::given_by<Next>> std::size_t bridge(Next&& next, F&& f,
                                                                       const options& o = {}) {
  using T = detail::given_by<Next>;
  return detail::launch(
      o, [&] { return detail::bridge_with<T>(detail::parallel_fork{}, next, f, o); });
}

/// Does the same for the elements from `first` up to `last`, which may be input iterators.
///
///     filch::bridge(std::istream_iterator<int>(in), std::istream_iterator<int>(), f);
template <std::input_iterator I, std::sentinel_for<I> S, class F>
requires std::invocable<F&, std::iter_value_t<I>> std::size_t bridge(I first, S last, F&& f,
                                                                     const options& o = {}) {
  auto next = detail::copies_from(std::move(first), std::move(last));
  return detail::launch(o, [&] {
    return detail::bridge_with<std::iter_value_t<I>>(detail::parallel_fork{}, next, f, o);
  });
}

/// Does the same in place, if `f` takes a reference to an element and cannot take a copy of it. The
/// elements must stay where they are, as those of a std::list or std::map do.
///
///     filch::bridge(map, [](std::pair<const key, value>& entry) { improve(entry.second); });
template <std::forward_iterator I, std::sentinel_for<I> S, class F>
requires detail::changes_elements<F, I> std::size_t bridge(I first, S last, F&& f,
                                                           const options& o = {}) {
  auto next = detail::items_from<I>(std::move(first), std::move(last), std::identity{});
  auto change = [&](const I& at) { std::invoke(f, *at); };
  return detail::launch(
      o, [&] { return detail::bridge_with<I>(detail::parallel_fork{}, next, change, o); });
}

/// Does the same for the elements of a range: a std::list, a std::map, a generator.
template <std::ranges::input_range R, class F>
requires std::invocable<F&, std::ranges::range_value_t<R>> ||
    detail::changes_elements<F, std::ranges::iterator_t<R>>
        std::size_t bridge(R&& range, F&& f, const options& o = {}) {
  return filch::bridge(std::ranges::begin(range), std::ranges::end(range), f, o);
}

}  // namespace filch

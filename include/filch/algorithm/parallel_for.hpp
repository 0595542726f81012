// parallel_for: loops over numbers.
#pragma once

#include "filch/detail/kernel/parallel_for.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"

namespace filch {

/// Calls f(i) for every i from `first` up to, but not including, `last`, several at once.
///
/// How      The range is halved repeatedly. The calling thread takes one half, and a thief may take
///          the other. A part is not halved further when it takes only some microseconds, as
///          measured during the loop. Within a part the order is that of the numbers; between parts
///          no order is promised. `f` is not copied: several threads call it at once. The types of
///          `first` and `last` may differ, and may be character types. They may not be bool, which
///          cannot count. `f` gets their common type. If `last` is not larger than `first`, nothing
///          happens.
/// Options  grain: no part is split into parts with fewer numbers. stop, priority, on, isolate,
///          progress, max_workers, deadline: see `options`.
/// Throws   What `f` threw. If several calls threw, the exception of the call with the lowest
///          number; `filch::suppressed()` has the others, one for each part that threw. Parts that
///          had not started are skipped. `cancelled` if parts were skipped because of `stop` or
///          `deadline`. `usage_error` if there are more numbers than std::size_t can count, which
///          128-bit numbers allow. On a thread outside of every pool also as join().
/// Threads  Any. A thread outside of every pool is a guest of `default_pool()` during the loop.
/// Memory   `f` sees what came before the call. The caller sees what `f` did when the call returns.
/// Cost     A few forks (see join) for each hundred thousand cheap numbers, and no allocation.
///
///     filch::parallel_for(0, n, [&](int i) { y[i] += a * x[i]; });
template <detail::index A, detail::index B, class F>
requires std::invocable<F&, std::common_type_t<A, B>>
void parallel_for(A first, B last, F&& f, const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_with(detail::parallel_fork{}, detail::counted(first, last), f, o);
  });
}

/// Calls f(from, to) for parts [from, to) that together cover [first, last). It is for bodies that
/// prepare something once for many numbers. No part is empty. Otherwise like parallel_for().
///
///     filch::parallel_for_blocks(0, n, [&](int from, int to) {
///       buffer scratch;
///       for (int i = from; i != to; ++i) work_on(i, scratch);
///     });
template <detail::index A, detail::index B, class F>
requires std::invocable<F&, std::common_type_t<A, B>, std::common_type_t<A, B>>
void parallel_for_blocks(A first, B last, F&& f, const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_blocks_with(detail::parallel_fork{}, detail::counted(first, last), f, o);
  });
}

/// Calls f(i, j) for every i from `first_row` up to `last_row` and every j from `first_column` up
/// to `last_column`. A part is a range of pairs in the order of two nested loops, with `j` as the
/// inner one. It may begin and end within a row. `grain` counts pairs. Throws also `usage_error` if
/// there are more pairs than std::size_t can count. Otherwise like the loop over one number.
///
///     filch::parallel_for(0, height, 0, width, [&](int y, int x) { image[y][x] = shade(x, y); });
template <detail::index A, detail::index B, detail::index C, detail::index D, class F>
requires std::invocable<F&, std::common_type_t<A, B>, std::common_type_t<C, D>>
void parallel_for(A first_row, B last_row, C first_column, D last_column, F&& f,
                  const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_with(detail::parallel_fork{}, detail::counted(first_row, last_row),
                              detail::counted(first_column, last_column), f, o);
  });
}

/// Does the same in three dimensions: f(i, j, k), with `k` as the innermost.
///
///     filch::parallel_for(0, depth, 0, height, 0, width, [&](int z, int y, int x) { ... });
template <detail::index A, detail::index B, detail::index C, detail::index D, detail::index E,
          detail::index G, class F>
requires std::invocable<F&, std::common_type_t<A, B>, std::common_type_t<C, D>,
                        std::common_type_t<E, G>>
void parallel_for(A first_plane, B last_plane, C first_row, D last_row, E first_column,
                  G last_column, F&& f, const options& o = {}) {
  detail::launch(o, [&] {
    detail::parallel_for_with(detail::parallel_fork{}, detail::counted(first_plane, last_plane),
                              detail::counted(first_row, last_row),
                              detail::counted(first_column, last_column), f, o);
  });
}

}  // namespace filch

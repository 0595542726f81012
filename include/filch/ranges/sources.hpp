// Parallel ranges of something else than a range: numbers, trees, what is read one by one.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/chain/bridged.hpp"
#include "filch/detail/chain/source_of.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/detail/chain/tree.hpp"
#include "filch/detail/chain/zip.hpp"
#include "filch/options.hpp"
#include "filch/ranges/par_range.hpp"

namespace filch {

/// The numbers from `first` up to, but not including, `last`. Their types may differ; items are of
/// the common type. None if `last` is not larger. Throws usage_error if there are more than
/// std::size_t can count, as there may be of 128 bits. Rayon's (first..last).into_par_iter(),
/// std::views::iota.
///
///     filch::par_indices(0, n).filter(is_prime).count()
template <detail::index A, detail::index B>
auto par_indices(A first, B last) {
  const detail::counted numbers(first, last);
  return par_range(detail::number_source(numbers));
}
template <detail::index A, detail::index B>
auto par_indices(A first, B last, const options& o) {
  const detail::counted numbers(first, last);
  return par_range(detail::number_source(numbers), o);
}

template <class A, class B>
requires(!(detail::index<A> && detail::index<B>)) FILCH_REFUSED(
    "filch: par_indices(first, last): first and last must be integers, and not bool. The "
    "elements of a range are those of par(range)",
    par_indices(A, B, const options& = {}));
template <detail::index A, detail::index B, detail::index C>
FILCH_REFUSED("filch: par_indices(first, last) has no step: par_indices(first, last).step_by(step)",
              par_indices(A, B, C));

/// std::tuple (of two: std::pair) of the items at the same position of several ranges, as many as
/// the shortest has. Each is anything with positions that par() takes, parallel ranges included;
/// the options of these do not count: see par_range::with(). Rayon's and std::views' zip.
///
///     filch::zip(x, y, z).for_each([](auto row) { auto& [a, b, c] = row; c = a + b; });
template <detail::parallel_indexed First, detail::parallel_indexed... Rest>
requires(sizeof...(Rest) > 0) auto zip(First&& first, Rest&&... rest) {
  using source = detail::zipped_source<detail::source_type<First>, detail::source_type<Rest>...>;
  return par_range<source>(source(detail::source_for(static_cast<First&&>(first)),
                                  detail::source_for(static_cast<Rest&&>(rest))...));
}

template <class... R>
requires(sizeof...(R) > 1 && !(detail::parallel_indexed<R> && ...)) FILCH_REFUSED(
    "filch: zip(a, b, ...): each must have random access and a size, or be a parallel range "
    "whose items have positions. Collect others into a std::vector first",
    zip(R&&...));

/// `value`, `n` times: items are references to one that the chain keeps, or to a copy of it that
/// lives as long as a thread works on a stretch. Rayon's repeat_n, std::views::repeat.
template <class T>
auto par_repeat(T value, std::size_t n, const options& o = {}) {
  return par_range(detail::repeat_source<T>(std::move(value), n), o);
}

/// One item, which goes away: it can be run once. Rayon's once, std::views::single.
template <class T>
auto par_once(T value, const options& o = {}) {
  return par_range(detail::once_source<T>(std::optional<T>(std::move(value))), o);
}

/// No items of type T. Rayon's empty, std::views::empty.
template <class T>
auto par_empty(const options& o = {}) {
  return par_range(detail::once_source<T>(std::nullopt), o);
}

/// `root` and every node below it, a node before those below it, brothers in their order: that of a
/// recursion. Items are `const Node&`. Rayon's walk_tree_prefix.
///
/// How      As walk_prefix(), which has the rules for `Node` and `children`; the latter is called
///          through a const reference, after the item has gone through the chain. Items have no
///          positions; grain and progress mean nothing. With options::deterministic, where the
///          result depends on which neighbours are combined (sums of floating numbers, fold(), a
///          reduction), all nodes are listed first, and then go through the chain: `children` must
///          not wait for what that does.
/// Throws   What the functions throw, whoever was noticed first.
/// Memory   A list of the nodes that wait; with options::deterministic maybe of all of them.
///
///     filch::par_walk_prefix(&root, [](const node* n) -> auto& { return n->children; })
///         .filter(is_leaf).count()
template <std::copyable Node, class Children>
requires detail::children_of<const Children, Node>
auto par_walk_prefix(Node root, Children children, const options& o = {}) {
  return par_range(detail::tree_source<detail::walk_order::prefix, Node, Children>(
                       std::move(root), std::move(children)),
                   o);
}

/// The same with a node after all below it. The stack grows with the depth of the tree, as that of
/// walk_postfix(). Rayon's walk_tree_postfix.
template <std::copyable Node, class Children>
requires detail::children_of<const Children, Node>
auto par_walk_postfix(Node root, Children children, const options& o = {}) {
  return par_range(detail::tree_source<detail::walk_order::postfix, Node, Children>(
                       std::move(root), std::move(children)),
                   o);
}

/// What next() returns, until that is an empty std::optional: from something that is read one by
/// one (a file, a socket, a generator) to a parallel range. Rayon's par_bridge.
///
/// How      As bridge(): one thread at a time reads, others work meanwhile, nothing is read ahead.
///          Items are rvalues and come in any order: what is collected has another order than what
///          was read. It can be run once. If the consumer needs no more, the rest is not read.
/// Options  stop, priority, on, isolate; progress as in bridge(). deterministic: items keep the
///          order in which they are read, and all is as for a container of them; for that 1024 at a
///          time are read, by the calling thread, before they are worked on. Items that cannot be
///          moved cannot wait: `usage_error`.
///
///     filch::par_bridge([&] { return queue.try_pop(); }).map(parse).for_each(store)
template <detail::generator Next>
auto par_bridge(Next next, const options& o = {}) {
  using open = detail::open_generator<Next>;
  return par_range(detail::bridged_source<open>(open{std::move(next)}), o);
}

/// The same from an iterator: items are copies of what it reads.
template <std::input_iterator I, std::sentinel_for<I> S>
requires std::constructible_from<std::iter_value_t<I>, std::iter_reference_t<I>>
auto par_bridge(I first, S last, const options& o = {}) {
  using open = detail::open_iterators<I, S>;
  return par_range(detail::bridged_source<open>(open{std::move(first), std::move(last)}), o);
}

/// The same from any range: a list, a set, a stream of numbers. Of one that has a name, and of
/// views, items are copies of its elements; of a container that is moved in they are moved.
template <std::ranges::input_range R>
requires(!detail::generator<R>) auto par_bridge(R&& range, const options& o = {}) {
  if constexpr (std::is_lvalue_reference_v<R>) {
    return filch::par_bridge(std::ranges::begin(range), std::ranges::end(range), o);
  } else {
    using open = detail::open_range<R>;
    return par_range(detail::bridged_source<open>(open{std::forward<R>(range)}), o);
  }
}

}  // namespace filch

// Sources of parallel ranges other than ranges: numbers, trees, items that are read one by one.
#pragma once

#include "filch/detail/chain/bridged.hpp"
#include "filch/detail/chain/tree.hpp"
#include "filch/detail/loop/tasks.hpp"  // which walks use as Fork::tasks
#include "filch/ranges/par_range.hpp"

namespace filch {

/// Makes a parallel range of the numbers from `first` up to, but not including, `last`. Their types
/// may differ; items are of the common type. The range is empty if `last` is not larger. Throws
/// usage_error if there are more numbers than std::size_t can count, which 128-bit numbers allow.
/// Rayon: (first..last).into_par_iter(). Standard library: std::views::iota.
///
///     filch::par_indices(0, n).filter(is_prime).count()
template <detail::index A, detail::index B>
auto par_indices(A first, B last) {
  return par_range(detail::number_source{detail::counted(first, last)});
}
template <detail::index A, detail::index B>
auto par_indices(A first, B last, const options& o) {
  return par_range(detail::number_source{detail::counted(first, last)}, o);
}

template <class A, class B>
requires(!(detail::index<A> && detail::index<B>)) FILCH_REFUSED(
    "filch: par_indices(first, last): first and last must be integers, and not bool. The "
    "elements of a range are those of par(range)",
    par_indices(A, B, const options& = {}));
template <detail::index A, detail::index B, detail::index C>
FILCH_REFUSED("filch: par_indices(first, last) has no step: par_indices(first, last).step_by(step)",
              par_indices(A, B, C));

/// Makes a parallel range of tuples of the items at the same position of several ranges:
/// std::tuple, of two ranges std::pair. There are as many as the shortest range has. Each range is
/// anything with positions that par() takes, also a parallel range. zip ignores the options of such
/// a range: see par_range::with(). Rayon and std::views: zip.
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

/// Makes a parallel range of `value`, `n` times. Items are references to a value that the chain
/// keeps, or to a copy of it that lives while a thread works on a leaf. Rayon: repeat_n.
/// Standard library: std::views::repeat.
template <class T>
auto par_repeat(T value, std::size_t n, const options& o = {}) {
  return par_range(detail::repeat_source<T>{std::move(value), n}, o);
}

/// Makes a parallel range of one item, which is moved out: it can be run once. Rayon: once.
/// Standard library: std::views::single.
template <class T>
auto par_once(T value, const options& o = {}) {
  return par_range(detail::once_source<T>{std::optional<T>(std::move(value))}, o);
}

/// Makes a parallel range without items, of type T. Rayon: empty. Standard library:
/// std::views::empty.
template <class T>
auto par_empty(const options& o = {}) {
  return par_range(detail::once_source<T>{std::nullopt}, o);
}

/// Makes a parallel range of `root` and every node below it. A node comes before the nodes below
/// it, and siblings are in their order, as in a recursion. Items are `const Node&`. Rayon:
/// walk_tree_prefix.
///
/// How      As walk_prefix(), which has the rules for `Node` and `children`. `children` is called
///          through a const reference, after the item has gone through the chain. Items have no
///          positions; grain and progress have no effect. With options::deterministic, all nodes
///          are listed before they go through the chain, if the result depends on which neighbours
///          are combined (sums of floating-point numbers, fold(), a reduction). Then `children`
///          must not wait for effects of the chain.
/// Throws   What the functions throw, the exception that was noticed first.
/// Memory   A list of the nodes that wait; with options::deterministic possibly of all nodes.
///
///     filch::par_walk_prefix(&root, [](const node* n) -> auto& { return n->children; })
///         .filter(is_leaf).count()
template <std::copyable Node, class Children>
requires detail::children_of<const Children, Node>
auto par_walk_prefix(Node root, Children children, const options& o = {}) {
  using source = detail::tree_source<detail::walk_order::prefix, Node, Children>;
  return par_range(source{std::move(root), std::move(children)}, o);
}

/// Does the same with a node after all nodes below it. The stack grows with the depth of the tree,
/// as in walk_postfix(). Rayon: walk_tree_postfix.
template <std::copyable Node, class Children>
requires detail::children_of<const Children, Node>
auto par_walk_postfix(Node root, Children children, const options& o = {}) {
  using source = detail::tree_source<detail::walk_order::postfix, Node, Children>;
  return par_range(source{std::move(root), std::move(children)}, o);
}

/// Makes a parallel range of what next() returns, until that is an empty std::optional. It connects
/// a source that is read one by one (a file, a socket, a generator) to a chain. Rayon: par_bridge.
///
/// How      As bridge(): one thread at a time reads, others work meanwhile, nothing is read ahead.
///          Items are rvalues and come in any order: a collected result has another order than the
///          source. The range can be run once. If the consumer needs no more, the rest is not read.
/// Options  stop, priority, on, isolate, deadline; max_workers and progress as in bridge().
///          deterministic: items keep the order in which they are read, and everything is as for a
///          container of them. For that the calling thread reads 1024 items at a time before they
///          are worked on. Items that cannot be moved cannot wait: `usage_error`.
///
///     filch::par_bridge([&] { return queue.try_pop(); }).map(parse).for_each(store)
template <detail::generator Next>
auto par_bridge(Next next, const options& o = {}) {
  using open = detail::open_generator<Next>;
  return par_range(detail::bridged_source<open>{{std::move(next)}}, o);
}

/// Does the same from an iterator: items are copies of what it reads.
template <std::input_iterator I, std::sentinel_for<I> S>
requires std::constructible_from<std::iter_value_t<I>, std::iter_reference_t<I>>
auto par_bridge(I first, S last, const options& o = {}) {
  using open = detail::open_iterators<I, S>;
  return par_range(detail::bridged_source<open>{{std::move(first), std::move(last)}}, o);
}

/// Does the same from any range: a list, a set, a stream of numbers. For an lvalue, and for a view,
/// items are copies of its elements; out of a container that is moved in, they are moved.
template <std::ranges::input_range R>
requires(!detail::generator<R>) auto par_bridge(R&& range, const options& o = {}) {
  if constexpr (std::is_lvalue_reference_v<R>) {
    return filch::par_bridge(std::ranges::begin(range), std::ranges::end(range), o);
  } else {
    using open = detail::open_range<R>;
    return par_range(detail::bridged_source<open>{{std::forward<R>(range)}}, o);
  }
}

FILCH_REFUSED_OPTIONS_FIRST(par_indices, "options come last: par_indices(first, last, options)");
FILCH_REFUSED_OPTIONS_FIRST(par_walk_prefix,
                            "options come last: par_walk_prefix(root, children, options)");
FILCH_REFUSED_OPTIONS_FIRST(par_walk_postfix,
                            "options come last: par_walk_postfix(root, children, options)");
FILCH_REFUSED_OPTIONS_FIRST(par_bridge, "options come last: par_bridge(range, options)");

}  // namespace filch

// walk_prefix and walk_postfix: visit every node of a tree.
#pragma once

#include "filch/detail/kernel/walk.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/tasks.hpp"  // which walks use as Fork::tasks

namespace filch {

/// Calls visit(node) for `root` and every node below it, several at once. A node is visited before
/// the nodes below it. Rayon: walk_tree_prefix.
///
/// How      A `Node` is a pointer, an index, or another small value that identifies a node. It is
///          moved, or copied from what `children` gives. children(node) is called once for each
///          node, after its visit, and returns a range of nodes. Or it has the form children(node,
///          add), and calls add(child) for each child. The nodes must form a tree: a node that can
///          be reached twice is visited twice. Siblings are visited in any order, and at the same
///          time if threads are idle.
/// Options  stop, priority, on, isolate, max_workers, deadline. grain has no effect. progress is
///          refused with `usage_error`, because the number of nodes is not known.
/// Throws   What `visit` or `children` threw, the exception that was noticed first;
///          `filch::suppressed()` has the others. Nodes whose visit had not begun are skipped.
///          `cancelled` if nodes were skipped because of `stop` or `deadline`. `std::bad_alloc`.
/// Threads, Memory  as parallel_for(). Also, the visits of the nodes below a node see what the
///          visit of that node did.
/// Cost     An entry in a list for each node. The stack does not grow with the depth of the tree.
///
///     filch::walk_prefix(&root, [](node* n) -> auto& { return n->children; }, visit);
///     filch::walk_prefix(&root, [](node* n, auto add) { if (n->left) add(n->left); }, visit);
template <std::movable Node, class Children, class Visit>
requires detail::children_of<Children, Node> && std::invocable<Visit&, const Node&>
void walk_prefix(Node root, Children&& children, Visit&& visit, const options& o = {}) {
  detail::require_no_progress(o, "walk_prefix");
  detail::launch(o, [&] {
    detail::walk_prefix_with(detail::parallel_fork{}, std::move(root), children, visit, o);
  });
}

/// Visits the same nodes, but each node after all nodes below it. So the visit of a node can add up
/// what the visits below it have computed. children(node) is called once for each node, before the
/// nodes below it are visited. Rayon: walk_tree_postfix.
///
/// Cost  A list of its children for each node, and stack in proportion to the depth of the tree, as
///       in any recursion: some hundred bytes for each level.
template <std::movable Node, class Children, class Visit>
requires detail::children_of<Children, Node> && std::invocable<Visit&, const Node&>
void walk_postfix(Node root, Children&& children, Visit&& visit, const options& o = {}) {
  detail::require_no_progress(o, "walk_postfix");
  detail::launch(
      o, [&] { detail::walk_postfix_with(detail::parallel_fork{}, root, children, visit, o); });
}

}  // namespace filch

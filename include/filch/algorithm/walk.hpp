// Every node of a tree.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/split/course.hpp"
#include "filch/detail/split/fork.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// A function that calls back: it takes a node, and a function that it calls for every child.
template <class Children, class Node>
concept calls_back = std::invocable<Children&, const Node&, void (*)(Node)>;

/// A function that returns the children of a node as a range.
template <class Children, class Node>
concept gives_range =
    !calls_back<Children, Node> && std::invocable<Children&, const Node&> &&
    std::ranges::input_range<std::invoke_result_t<Children&, const Node&>> &&
    std::convertible_to<
        std::ranges::range_reference_t<std::invoke_result_t<Children&, const Node&>>, Node>;

/// One walk over a tree. `Node` is what stands for a node: a pointer, an index, a small value.
template <fork_policy Fork, std::movable Node, class Children, class Visit>
class walk {
 public:
  walk(const Fork& fork, Children& children, Visit& visit, loop_course& course) noexcept
      : fork_(fork), children_(children), visit_(visit), course_(course) {}

  /// Visits `waiting` and all below them, parents first. The nodes that wait are in a list, not on
  /// the stack, so that deep trees need none: the oldest half of them, which has the largest
  /// subtrees, is left to a thief.
  void prefix(std::vector<Node> waiting, std::size_t depth) {
    std::size_t since_split = 0;
    while (!waiting.empty() && course_.may_start(0)) {
      if (waiting.size() > 1 && depth != deepest_split &&
          (since_split == quiet || fork_.hungry())) {
        const auto half = static_cast<std::ptrdiff_t>(waiting.size() / 2);
        std::vector<Node> old(std::make_move_iterator(waiting.begin()),
                              std::make_move_iterator(waiting.begin() + half));
        waiting.erase(waiting.begin(), waiting.begin() + half);
        fork_([&] { prefix(std::move(waiting), depth + 1); },
              [&] { prefix(std::move(old), depth + 1); });
        return;
      }
      if (since_split != quiet) ++since_split;
      Node node = std::move(waiting.back());
      waiting.pop_back();
      guarded([&] {
        std::invoke(visit_, std::as_const(node));
        const auto old_end = static_cast<std::ptrdiff_t>(waiting.size());
        add_children(node, waiting);
        // Taken from the end: the first child comes first.
        std::reverse(waiting.begin() + old_end, waiting.end());
        course_.finished(1);
      });
    }
  }

  /// Visits all below `node`, then the node.
  void postfix(const Node& node) {
    if (!course_.may_start(0)) return;
    std::vector<Node> below;
    guarded([&] { add_children(node, below); });
    if (!below.empty()) postfix_all(below.data(), below.size());
    if (!course_.may_start(0)) return;
    guarded([&] {
      std::invoke(visit_, node);
      course_.finished(1);
    });
  }

 private:
  /// How many nodes are visited before a part offers half of its list though nobody has asked.
  static constexpr std::size_t quiet = 1024;
  /// Splits within splits: beyond this a part keeps what it has, so that the stack does not grow
  /// with the tree.
  static constexpr std::size_t deepest_split = 2000;

  void postfix_all(const Node* nodes, std::size_t n) {
    if (n == 1) return postfix(*nodes);
    const std::size_t half = n / 2;
    fork_([this, nodes, half] { postfix_all(nodes, half); },
          [this, nodes, half, n] { postfix_all(nodes + half, n - half); });
  }

  void add_children(const Node& node, std::vector<Node>& list) {
    if constexpr (calls_back<Children, Node>) {
      std::invoke(children_, node, [&](Node child) { list.push_back(std::move(child)); });
    } else {
      auto&& range = std::invoke(children_, node);
      for (auto&& child : range) list.push_back(static_cast<decltype(child)>(child));
    }
  }

  /// Calls the user's code: if it throws, nothing else starts.
  template <class F>
  void guarded(F f) {
    try {
      f();
    } catch (...) {
      course_.failed();
      throw;
    }
  }

  const Fork& fork_;
  Children& children_;
  Visit& visit_;
  loop_course& course_;
};

/// The number of nodes is not known before the end.
inline options without_progress(const options& o) {
  options rest = o;
  rest.progress = {};
  return rest;
}

template <fork_policy Fork, class Node, class Children, class Visit>
void walk_prefix_with(const Fork& fork, Node root, Children& children, Visit& visit,
                      const options& o) {
  const options quiet = without_progress(o);
  loop_course course(quiet, 0);
  std::vector<Node> all;
  all.push_back(std::move(root));
  walk<Fork, Node, Children, Visit>(fork, children, visit, course).prefix(std::move(all), 0);
  course.end_of_loop();
}

template <fork_policy Fork, class Node, class Children, class Visit>
void walk_postfix_with(const Fork& fork, const Node& root, Children& children, Visit& visit,
                       const options& o) {
  const options quiet = without_progress(o);
  loop_course course(quiet, 0);
  walk<Fork, Node, Children, Visit>(fork, children, visit, course).postfix(root);
  course.end_of_loop();
}

/// What walks accept.
template <class Children, class Node>
concept children_of = calls_back<Children, Node> || gives_range<Children, Node>;

}  // namespace detail

/// Calls visit(node) for `root` and every node below it, several at once, a node before those below
/// it. Rayon's walk_tree_prefix.
///
/// How      `Node` is whatever stands for a node: a pointer, an index, a small value; it is moved,
///          or copied from what `children` gives. children(node) is called once for each node,
///          after its visit, and returns a range of nodes, or is children(node, add) and calls
///          add(child) for each. It is no graph: a node that can be reached twice is visited twice.
///          Brothers come in any order, at the same time if somebody is idle.
/// Options  stop, priority, on, isolate. (grain and progress mean nothing here.)
/// Throws   What `visit` or `children` threw, whoever was noticed first; `filch::suppressed()` has
///          the others. Nodes that were not begun are skipped then. `cancelled` if some were
///          skipped because of `stop`. `std::bad_alloc`.
/// Threads, Memory  as parallel_for(); besides, what the visit of a node did is seen by the visits
///          of those below it.
/// Cost     A place in a list for each node. The stack does not grow with the depth of the tree.
///
///     filch::walk_prefix(&root, [](node* n) -> auto& { return n->children; }, visit);
///     filch::walk_prefix(&root, [](node* n, auto add) { if (n->left) add(n->left); }, visit);
template <std::movable Node, class Children, class Visit>
requires detail::children_of<Children, Node> && std::invocable<Visit&, const Node&>
void walk_prefix(Node root, Children&& children, Visit&& visit, const options& o = {}) {
  detail::launch(o, [&] {
    detail::walk_prefix_with(detail::parallel_fork{}, std::move(root), children, visit, o);
  });
}

/// The same, but a node comes after all below it, and sees what their visits did: for sums over
/// subtrees. children(node) is called once for each node, before those below it are visited.
/// Rayon's walk_tree_postfix.
///
/// Cost  A list of its children for each node, and stack in proportion to the depth of the tree, as
///       any recursion: some hundred bytes for each level.
template <std::movable Node, class Children, class Visit>
requires detail::children_of<Children, Node> && std::invocable<Visit&, const Node&>
void walk_postfix(Node root, Children&& children, Visit&& visit, const options& o = {}) {
  detail::launch(
      o, [&] { detail::walk_postfix_with(detail::parallel_fork{}, root, children, visit, o); });
}

}  // namespace filch

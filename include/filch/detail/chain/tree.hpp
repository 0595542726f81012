// A source of the nodes of a tree.
#pragma once

#include "filch/detail/chain/collect.hpp"
#include "filch/detail/chain/drive.hpp"
#include "filch/detail/kernel/walk.hpp"

namespace filch::detail {

/// Passes the nodes of a walk to a consumer.
template <class Consumer>
struct consuming_visits {
  using result = std::optional<typename Consumer::part>;
  const Consumer& consumer;
  loop_state& state;
  plumbing::leaf where;

  struct folder {
    const consuming_visits& all;
    running_part<Consumer> part;

    template <class Node>
    void take(const Node& node) {
      part.folder().take(node);
    }
    void add(result&& r) { part.add(std::move(r)); }
    bool full() const { return part.full(); }
    result finish() && {
      result r = std::move(part).finish();
      if constexpr (Consumer::rule == wanted::any)
        if (r && all.consumer.enough(*r)) all.state.cut(0);
      return r;
    }
  };

  folder begin() const { return {*this, {consumer, 0, &where}}; }
  bool enough(const result& r) const {
    if constexpr (Consumer::rule == wanted::first) return r && consumer.enough(*r);
    return false;
  }
};

enum class walk_order : unsigned char { prefix, postfix };

/// A node and all nodes below it, in the order of a recursion.
template <walk_order Order, std::movable Node, class Children>
struct tree_source {
  using item = const Node&;
  Node root;
  Children children;

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    if constexpr (minds_order<Consumer>)
      if (run.o.deterministic) return drive_listed(run, consumer);
    return drive_walk(run, consumer);
  }
  /// Hungry threads decide where a walk is divided. So the nodes are listed first.
  template <class Fork, class Consumer>
  auto drive_listed(const plumbing::run<Fork>& run, const Consumer& consumer) const {
    gathering_collector<std::vector<Node>, const Node&> list;
    const std::vector<Node> nodes = list.finish(run, drive_walk(run, list.consumer()));
    options o = detail::without_progress(run.o);
    o.grain = 0;
    using source = borrowed_source<typename std::vector<Node>::const_iterator>;
    return plumbing::drive(plumbing::run<Fork>{run.fork, o, run.above},
                           source{nodes.begin(), nodes.size()}, consumer);
  }

  template <class Fork, class Consumer>
  auto drive_walk(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    const options quiet = detail::without_progress(run.o);
    loop_state state(quiet, 0);
    using visits = consuming_visits<Consumer>;
    const visits consuming{consumer, state, plumbing::leaf(state, 0, run.above)};
    walk<Fork, Node, const Children, visits> all(run.fork, children, consuming, state);
    auto r = [&] {
      if constexpr (Order == walk_order::prefix)
        return all.prefix(root);
      else
        return all.postfix(root);
    }();
    state.end_of_loop();
    return r;
  }
};

}  // namespace filch::detail

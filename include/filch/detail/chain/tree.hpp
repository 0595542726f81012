// A source of the nodes of a tree.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "filch/detail/chain/collect.hpp"
#include "filch/detail/chain/drive.hpp"
#include "filch/detail/chain/running.hpp"
#include "filch/detail/chain/sources.hpp"
#include "filch/detail/kernel/walk.hpp"
#include "filch/detail/loop/loop_state.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// Passes the nodes of a walk to a consumer.
template <class Consumer>
class consuming_visits {
 public:
  using result = std::optional<typename Consumer::part>;

  consuming_visits(const Consumer& consumer, loop_state& state,
                   const plumbing::leaf* above) noexcept
      : consumer_(consumer), state_(state), where_(state, 0, above) {}

  class folder {
   public:
    explicit folder(const consuming_visits& all)
        : all_(all), part_(all.consumer_, 0, &all.where_) {}
    template <class Node>
    void take(const Node& node) {
      part_.folder().take(node);
    }
    void add(result&& r) { part_.add(std::move(r)); }
    bool full() const { return part_.full(); }
    result finish() && {
      result r = std::move(part_).finish();
      if constexpr (Consumer::rule == plumbing::wanted::any)
        if (r && all_.consumer_.enough(*r)) all_.state_.cut(0);
      return r;
    }

   private:
    const consuming_visits& all_;
    running_part<Consumer> part_;
  };

  folder begin() const { return folder(*this); }
  bool enough(const result& r) const {
    if constexpr (Consumer::rule == plumbing::wanted::first) return r && consumer_.enough(*r);
    return false;
  }

 private:
  const Consumer& consumer_;
  loop_state& state_;
  plumbing::leaf where_;
};

enum class walk_order : unsigned char { prefix, postfix };

/// A node and all nodes below it, in the order of a recursion.
template <walk_order Order, std::movable Node, class Children>
class tree_source {
 public:
  using item = const Node&;

  tree_source(Node root, Children children)
      : root_(std::move(root)), children_(std::move(children)) {}

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    if constexpr (minds_order<Consumer>)
      if (run.o.deterministic) return drive_listed(run, consumer);
    return drive_walk(run, consumer);
  }

 private:
  /// Hungry threads decide where a walk is divided. So the nodes are listed first.
  template <class Fork, class Consumer>
  auto drive_listed(const plumbing::run<Fork>& run, const Consumer& consumer) const {
    gathering_collector<std::vector<Node>, const Node&> list;
    const std::vector<Node> nodes = list.finish(run, drive_walk(run, list.consumer()));
    options o = detail::without_progress(run.o);
    o.grain = 0;
    using source = borrowed_source<typename std::vector<Node>::const_iterator>;
    return plumbing::drive(plumbing::run<Fork>{run.fork, o, run.above},
                           source(nodes.begin(), nodes.size()), consumer);
  }

  template <class Fork, class Consumer>
  auto drive_walk(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    const options quiet = detail::without_progress(run.o);
    loop_state state(quiet, 0);
    const consuming_visits<Consumer> visits(consumer, state, run.above);
    walk<Fork, Node, const Children, consuming_visits<Consumer>> all(run.fork, children_, visits,
                                                                     state);
    auto r = [&] {
      if constexpr (Order == walk_order::prefix)
        return all.prefix(root_);
      else
        return all.postfix(root_);
    }();
    state.end_of_loop();
    return r;
  }

  Node root_;
  Children children_;
};

}  // namespace filch::detail

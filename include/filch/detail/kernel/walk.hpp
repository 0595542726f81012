// Visits the nodes of a tree that grows while it is visited.
#pragma once

#include <iterator>
#include <mutex>
#include <new>
#include <ranges>
#include <vector>

#include "filch/detail/kernel/walk_parts.hpp"
#include "filch/detail/loop/fork_policy.hpp"
#include "filch/detail/loop/loop_state.hpp"

namespace filch::detail {

/// A function that takes a node and a callback, and calls the callback for every child.
template <class Children, class Node>
concept calls_back = std::invocable<Children&, const Node&, void (*)(Node)>;

/// A function that returns the children of a node as a range.
template <class Children, class Node>
concept gives_range =
    !calls_back<Children, Node> && std::invocable<Children&, const Node&> &&
    std::ranges::input_range<std::invoke_result_t<Children&, const Node&>> &&
    std::convertible_to<
        std::ranges::range_reference_t<std::invoke_result_t<Children&, const Node&>>, Node>;

/// Appends the children of a node to a list.
template <class Node, class Children>
void add_children(Children& children, const Node& node, std::vector<Node>& list) {
  if constexpr (calls_back<Children, Node>) {
    std::invoke(children, node, [&](Node child) { list.push_back(std::move(child)); });
  } else {
    auto&& range = std::invoke(children, node);
    for (auto&& child : range) list.push_back(static_cast<decltype(child)>(child));
  }
}

/// What a walk does with the nodes.
///   folder           takes the nodes that one thread visits one after the other, and what others
///                    made of those that follow: take(node), add(result), full(), finish()
///   begin()          returns a folder
///   enough(result)   returns true if no node behind it need be visited
template <class Visits>
concept walk_visits = requires(const Visits& v, typename Visits::result& r) {
  { v.begin() } -> std::same_as<typename Visits::folder>;
  { v.enough(r) } -> std::same_as<bool>;
};

/// A list of the parts before a part of a postfix walk. If one of them was enough, the part is not
/// needed.
struct walk_before {
  std::atomic<bool> is_enough{false};
  const walk_before* up = nullptr;

  static bool is_wanted(const walk_before* it) noexcept {
    for (; it != nullptr; it = it->up)
      if (it->is_enough.load(std::memory_order_relaxed)) return false;  // orders nothing: a hint
    return true;
  }
};

/// One walk over a tree. A `Node` is a pointer, an index, a small value.
template <fork_policy Fork, std::movable Node, class Children, walk_visits Visits>
class walk {
  using result = typename Visits::result;
  using folder = typename Visits::folder;
  using tasks = typename Fork::tasks;
  using parts = walk_parts<result>;
  using part = typename parts::part;

 public:
  walk(const Fork& fork, Children& children, const Visits& visits, loop_state& state) noexcept
      : fork_(fork), children_(children), visits_(visits), state_(state) {}

  /// Visits `root` and all nodes below it, parents first. The nodes that wait are in lists, one for
  /// each part of the walk. An idle thread takes the older half of a list, also while the owner of
  /// the list is busy with a node. Those nodes come last in the walk and have the largest subtrees.
  /// A task notifies the pool which list has nodes. No thread waits for a single task. So neither a
  /// deep tree needs stack, nor a tree in which every theft leaves almost nothing on one side.
  result prefix(Node root) {
    parts all;
    tasks others(fork_);
    others.run([&] {
      visit_all(others, state_.guarded([&] {
        auto mine = std::make_shared<waiting>(all.first());
        mine->nodes.push_back(std::move(root));
        return mine;
      }));
    });
    return state_.guarded([&] { return all.joined(visits_); });
  }

  /// Visits all nodes below `node`, then `node`.
  result postfix(const Node& node) {
    folder mine = visits_.begin();
    postfix(node, mine, nullptr);
    return finish(std::move(mine));
  }

 private:
  /// The nodes of a part that wait. The next one to visit is the last in the list.
  struct waiting {
    explicit waiting(part& p) noexcept : target(p) {}
    part& target;
    std::mutex mutex;  // protects the members below, and the neighbours of `target`
    std::vector<Node> nodes;
    bool is_notified = false;  // there is a task that takes some of the nodes
  };

  /// Visits the nodes that wait in `mine`, and all nodes below them, parents first.
  void visit_all(tasks& others, const std::shared_ptr<waiting>& mine) {
    folder made = visits_.begin();
    std::vector<Node> below;
    while (mine->target.is_wanted() && !made.full()) {
      bool notifies = false;
      std::optional<Node> node = state_.guarded([&] { return next(*mine, below, notifies); });
      if (!node || !state_.may_start(0)) break;  // a stop that skips no node is not a cancellation
      if (notifies) notify(others, mine);
      state_.guarded([&] {
        made.take(std::as_const(*node));
        detail::add_children(children_, *node, below);
        state_.finished(1);
      });
    }
    {
      const std::scoped_lock lock(mine->mutex);
      mine->nodes.clear();  // they are not needed
    }
    result all = finish(std::move(made));
    if (visits_.enough(all)) parts::make_unwanted_behind(mine->target);
    mine->target.keep(std::move(all));
  }

  /// Adds the children of the previous node to the list, and returns the next node. Sets `notifies`
  /// if other nodes wait and there is no task for them yet.
  static std::optional<Node> next(waiting& mine, std::vector<Node>& below, bool& notifies) {
    const std::scoped_lock lock(mine.mutex);
    // Nodes are taken from the end, so the first child goes last.
    mine.nodes.insert(mine.nodes.end(), std::make_move_iterator(below.rbegin()),
                      std::make_move_iterator(below.rend()));
    below.clear();
    if (mine.nodes.empty()) return std::nullopt;
    std::optional<Node> node(std::move(mine.nodes.back()));
    mine.nodes.pop_back();
    if (!mine.nodes.empty()) notifies = !std::exchange(mine.is_notified, true);
    return node;
  }

  /// Spawns a task that takes some of the nodes in `whose`. Without memory for a task, the nodes
  /// wait for their owner.
  void notify(tasks& others, const std::shared_ptr<waiting>& whose) {
    try {
      others.spawn([this, &others, whose] { help(others, whose); });
    } catch (const std::bad_alloc&) {
      const std::scoped_lock lock(whose->mutex);
      whose->is_notified = false;
    } catch (...) {
      state_.failed();
      throw;
    }
  }

  /// Visits the older half of the nodes that wait in `whose`.
  void help(tasks& others, const std::shared_ptr<waiting>& whose) {
    bool notifies = false;
    const std::shared_ptr<waiting> mine =
        state_.guarded([&] { return older_half(*whose, notifies); });
    if (notifies) notify(others, whose);
    if (mine) visit_all(others, mine);
  }

  /// Takes the older half of the nodes. Returns null if there are none, or no memory for them; then
  /// they stay where they are. `notifies` as in next().
  static std::shared_ptr<waiting> older_half(waiting& whose, bool& notifies) {
    const std::scoped_lock lock(whose.mutex);
    whose.is_notified = false;
    if (whose.nodes.empty()) return nullptr;
    const auto half = whose.nodes.begin() + (std::ssize(whose.nodes) + 1) / 2;
    std::shared_ptr<waiting> mine;
    try {
      std::vector<Node> half_of_them;
      half_of_them.reserve(static_cast<std::size_t>(half - whose.nodes.begin()));
      mine = std::make_shared<waiting>(parts::insert_behind(whose.target));
      mine->nodes = std::move(half_of_them);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    mine->nodes.assign(std::make_move_iterator(whose.nodes.begin()), std::make_move_iterator(half));
    whose.nodes.erase(whose.nodes.begin(), half);
    notifies = whose.is_notified = !whose.nodes.empty();
    return mine;
  }

  void postfix(const Node& node, folder& mine, const walk_before* before) {
    if (!state_.may_start(0) || mine.full() || !walk_before::is_wanted(before)) return;
    std::vector<Node> below;
    state_.guarded([&] { detail::add_children(children_, node, below); });
    if (!below.empty()) postfix_all(below.data(), below.size(), mine, before);
    if (!state_.may_start(0) || mine.full()) return;
    state_.guarded([&] {
      mine.take(node);
      state_.finished(1);
    });
  }

  /// Visits all nodes and what is below them. If no thief takes the second half, the owner visits
  /// it in the folder of the first.
  void postfix_all(const Node* nodes, std::size_t n, folder& mine, const walk_before* before) {
    if (n == 1) return postfix(*nodes, mine, before);
    const std::size_t half = n / 2;
    const std::uintptr_t owner = fork_.here();
    walk_before near{.up = before};
    bool near_ended = false;  // used by the owner
    auto both = fork_(
        [&] {
          postfix_all(nodes, half, mine, before);
          near_ended = true;
          if (mine.full())
            near.is_enough.store(true, std::memory_order_relaxed);  // orders nothing: a hint
        },
        [&]() -> std::optional<result> {
          if (fork_.here() == owner && near_ended) {
            postfix_all(nodes + half, n - half, mine, before);
            return std::nullopt;
          }
          folder far = visits_.begin();
          postfix_all(nodes + half, n - half, far, &near);
          return finish(std::move(far));
        });
    if (both.second) state_.guarded([&] { mine.add(*std::move(both.second)); });
  }

  result finish(folder&& mine) {
    return state_.guarded([&] { return std::move(mine).finish(); });
  }

  const Fork& fork_;
  Children& children_;
  const Visits& visits_;
  loop_state& state_;
};

/// Visits without a result.
template <class Visit>
struct plain_visits {
  using result = nothing;
  struct folder {
    Visit& visit;

    template <class Node>
    void take(const Node& node) {
      std::invoke(visit, node);
    }
    static void add(nothing) noexcept {}
    static bool full() noexcept { return false; }
    static nothing finish() noexcept { return {}; }
  };
  Visit& visit;

  folder begin() const noexcept { return {visit}; }
  static bool enough(nothing) noexcept { return false; }
};

/// Returns the options without progress: the number of nodes is not known before the end.
inline options without_progress(const options& o) {
  options rest = o;
  rest.progress = {};
  return rest;
}

/// Calls body(all), a walk over a tree whose nodes it visits without a result.
template <class Node, fork_policy Fork, class Children, class Visit, class Body>
void walk_with(const Fork& fork, Children& children, Visit& visit, const options& o,
               const Body& body) {
  const options quiet = without_progress(o);
  loop_state state(quiet, 0);
  const plain_visits<Visit> visits{visit};
  body(walk<Fork, Node, Children, plain_visits<Visit>>(fork, children, visits, state));
  state.end_of_loop();
}

template <fork_policy Fork, class Node, class Children, class Visit>
void walk_prefix_with(const Fork& fork, Node root, Children& children, Visit& visit,
                      const options& o) {
  detail::walk_with<Node>(fork, children, visit, o, [&](auto all) { all.prefix(std::move(root)); });
}

template <fork_policy Fork, class Node, class Children, class Visit>
void walk_postfix_with(const Fork& fork, const Node& root, Children& children, Visit& visit,
                       const options& o) {
  detail::walk_with<Node>(fork, children, visit, o, [&](auto all) { all.postfix(root); });
}

/// The functions that walks accept for the children.
template <class Children, class Node>
concept children_of = calls_back<Children, Node> || gives_range<Children, Node>;

inline void require_no_progress(const options& o, const char* who) {
  if (o.progress)
    throw usage_error(
        std::string("filch::") + who +
        "(): options::progress cannot be called, since the number of nodes is not known: "
        "leave it out, and count in `visit`");
}

}  // namespace filch::detail

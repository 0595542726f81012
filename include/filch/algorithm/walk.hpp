// Every node of a tree.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/split/course.hpp"
#include "filch/detail/split/fork.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/tasks.hpp"
#include "filch/detail/split/walk_parts.hpp"
#include "filch/errors.hpp"
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

/// The children of a node, at the end of a list.
template <class Node, class Children>
void add_children(Children& children, const Node& node, std::vector<Node>& list) {
  if constexpr (calls_back<Children, Node>) {
    std::invoke(children, node, [&](Node child) { list.push_back(std::move(child)); });
  } else {
    auto&& range = std::invoke(children, node);
    for (auto&& child : range) list.push_back(static_cast<decltype(child)>(child));
  }
}

/// What is done with the nodes of a walk.
///   stretch          nodes that one thread visits one after the other, and what others have made
///                    of those that follow: take(node), add(result), full(), finish()
///   begin()          a stretch
///   enough(result)   need nothing behind it be visited?
template <class Visits>
concept walk_visits = requires(const Visits& v, typename Visits::result& r) {
  { v.begin() } -> std::same_as<typename Visits::stretch>;
  { v.enough(r) } -> std::same_as<bool>;
};

/// A list of what makes a part of a walk in postfix order useless: something before it was enough.
struct walk_before {
  std::atomic<bool> is_enough{false};
  const walk_before* up = nullptr;

  static bool is_wanted(const walk_before* it) noexcept {
    for (; it != nullptr; it = it->up)
      if (it->is_enough.load(std::memory_order_relaxed)) return false;  // orders nothing: a hint
    return true;
  }
};

/// One walk over a tree. `Node` is what stands for a node: a pointer, an index, a small value.
template <fork_policy Fork, std::movable Node, class Children, walk_visits Visits>
class walk {
  using result = typename Visits::result;
  using stretch = typename Visits::stretch;
  using tasks = typename Fork::tasks;
  using parts = walk_parts<result>;
  using part = typename parts::part;

 public:
  walk(const Fork& fork, Children& children, const Visits& visits, loop_course& course) noexcept
      : fork_(fork), children_(children), visits_(visits), course_(course) {}

  /// Visits `root` and all below it, parents first. The nodes that wait are in lists, one for each
  /// part. Whoever is idle takes the older half of one, which comes last and has the largest
  /// subtrees, also while its owner is busy with a node: a task says where there are some. Nobody
  /// waits for a single task, so that neither deep trees need stack, nor those of which every theft
  /// leaves next to nothing on one side.
  result prefix(Node root) {
    parts all;
    tasks others(fork_);
    others.run([&] {
      visit_all(others, guarded([&] {
                  auto mine = std::make_shared<waiting>(all.first());
                  mine->nodes.push_back(std::move(root));
                  return mine;
                }));
    });
    return guarded([&] { return all.joined(visits_); });
  }

  /// Visits all below `node`, then the node.
  result postfix(const Node& node) {
    stretch mine = visits_.begin();
    postfix(node, mine, nullptr);
    return finish(std::move(mine));
  }

 private:
  /// The nodes of a part that wait: the next one is the last.
  struct waiting {
    explicit waiting(part& p) noexcept : place(p) {}
    part& place;
    std::mutex mutex;  // what follows, and who is next to `place`
    std::vector<Node> nodes;
    bool is_told = false;  // there is a task that takes some
  };

  /// Visits those that wait, and all below them, parents first.
  void visit_all(tasks& others, const std::shared_ptr<waiting>& mine) {
    stretch made = visits_.begin();
    std::vector<Node> below;
    while (mine->place.is_wanted() && !made.full()) {
      bool tells = false;
      std::optional<Node> node = guarded([&] { return next(*mine, below, tells); });
      if (!node || !course_.may_start(0)) break;  // a stop that leaves nothing out is none
      if (tells) tell(others, mine);
      guarded([&] {
        made.take(std::as_const(*node));
        detail::add_children(children_, *node, below);
        course_.finished(1);
      });
    }
    {
      const std::scoped_lock lock(mine->mutex);
      mine->nodes.clear();  // nobody needs them
    }
    result all = finish(std::move(made));
    if (visits_.enough(all)) parts::make_unwanted_behind(mine->place);
    mine->place.keep(std::move(all));
  }

  /// The next node, after the children of the one before it have joined the others. `tells` if
  /// others wait, of whom nobody knows.
  static std::optional<Node> next(waiting& mine, std::vector<Node>& below, bool& tells) {
    const std::scoped_lock lock(mine.mutex);
    // Taken from the end: the first child comes first.
    mine.nodes.insert(mine.nodes.end(), std::make_move_iterator(below.rbegin()),
                      std::make_move_iterator(below.rend()));
    below.clear();
    if (mine.nodes.empty()) return std::nullopt;
    std::optional<Node> node(std::move(mine.nodes.back()));
    mine.nodes.pop_back();
    if (!mine.nodes.empty()) tells = !std::exchange(mine.is_told, true);
    return node;
  }

  /// Makes a task that takes some of those. Without memory for one they have to wait.
  void tell(tasks& others, const std::shared_ptr<waiting>& whose) {
    try {
      others.spawn([this, &others, whose] { help(others, whose); });
    } catch (const std::bad_alloc&) {
      const std::scoped_lock lock(whose->mutex);
      whose->is_told = false;
    } catch (...) {
      course_.failed();
      throw;
    }
  }

  /// Visits the older half of those that wait there.
  void help(tasks& others, const std::shared_ptr<waiting>& whose) {
    bool tells = false;
    const std::shared_ptr<waiting> mine = guarded([&] { return older_half(*whose, tells); });
    if (tells) tell(others, whose);
    if (mine) visit_all(others, mine);
  }

  /// Null if there are none, or no memory for them: they stay where they are. `tells` as next().
  static std::shared_ptr<waiting> older_half(waiting& whose, bool& tells) {
    const std::scoped_lock lock(whose.mutex);
    whose.is_told = false;
    if (whose.nodes.empty()) return nullptr;
    const auto half = whose.nodes.begin() + (std::ssize(whose.nodes) + 1) / 2;
    std::shared_ptr<waiting> mine;
    try {
      std::vector<Node> half_of_them;
      half_of_them.reserve(static_cast<std::size_t>(half - whose.nodes.begin()));
      mine = std::make_shared<waiting>(parts::insert_behind(whose.place));
      mine->nodes = std::move(half_of_them);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    mine->nodes.assign(std::make_move_iterator(whose.nodes.begin()), std::make_move_iterator(half));
    whose.nodes.erase(whose.nodes.begin(), half);
    tells = whose.is_told = !whose.nodes.empty();
    return mine;
  }

  void postfix(const Node& node, stretch& mine, const walk_before* before) {
    if (!course_.may_start(0) || mine.full() || !walk_before::is_wanted(before)) return;
    std::vector<Node> below;
    guarded([&] { detail::add_children(children_, node, below); });
    if (!below.empty()) postfix_all(below.data(), below.size(), mine, before);
    if (!course_.may_start(0) || mine.full()) return;
    guarded([&] {
      mine.take(node);
      course_.finished(1);
    });
  }

  /// If nobody takes the second half, it goes on with the stretch of the first.
  void postfix_all(const Node* nodes, std::size_t n, stretch& mine, const walk_before* before) {
    if (n == 1) return postfix(*nodes, mine, before);
    const std::size_t half = n / 2;
    const std::uintptr_t owner = fork_.here();
    walk_before near{.up = before};
    bool near_ended = false;  // of the owner
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
          stretch far = visits_.begin();
          postfix_all(nodes + half, n - half, far, &near);
          return finish(std::move(far));
        });
    if (both.second) guarded([&] { mine.add(*std::move(both.second)); });
  }

  result finish(stretch&& mine) {
    return guarded([&] { return std::move(mine).finish(); });
  }

  /// Calls the user's code: if it throws, nothing else starts.
  template <class F>
  auto guarded(F f) {
    try {
      return f();
    } catch (...) {
      course_.failed();
      throw;
    }
  }

  const Fork& fork_;
  Children& children_;
  const Visits& visits_;
  loop_course& course_;
};

/// Visits that give nothing.
template <class Visit>
class plain_visits {
 public:
  using result = nothing;
  class stretch {
   public:
    explicit stretch(Visit& visit) noexcept : visit_(visit) {}
    template <class Node>
    void take(const Node& node) {
      std::invoke(visit_, node);
    }
    static void add(nothing) noexcept {}
    static bool full() noexcept { return false; }
    static nothing finish() noexcept { return {}; }

   private:
    Visit& visit_;
  };

  explicit plain_visits(Visit& visit) noexcept : visit_(visit) {}
  stretch begin() const noexcept { return stretch(visit_); }
  static bool enough(nothing) noexcept { return false; }

 private:
  Visit& visit_;
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
  const plain_visits<Visit> visits(visit);
  walk<Fork, Node, Children, plain_visits<Visit>>(fork, children, visits, course)
      .prefix(std::move(root));
  course.end_of_loop();
}

template <fork_policy Fork, class Node, class Children, class Visit>
void walk_postfix_with(const Fork& fork, const Node& root, Children& children, Visit& visit,
                       const options& o) {
  const options quiet = without_progress(o);
  loop_course course(quiet, 0);
  const plain_visits<Visit> visits(visit);
  walk<Fork, Node, Children, plain_visits<Visit>>(fork, children, visits, course).postfix(root);
  course.end_of_loop();
}

/// What walks accept.
template <class Children, class Node>
concept children_of = calls_back<Children, Node> || gives_range<Children, Node>;

inline void require_no_progress(const options& o, const char* who) {
  if (o.progress)
    throw usage_error(
        std::string("filch::") + who +
        "(): options::progress cannot be told, since nobody knows how many nodes there "
        "are: leave it out, and count in `visit`");
}

}  // namespace detail

/// Calls visit(node) for `root` and every node below it, several at once, a node before those below
/// it. Rayon's walk_tree_prefix.
///
/// How      `Node` is whatever stands for a node: a pointer, an index, a small value; it is moved,
///          or copied from what `children` gives. children(node) is called once for each node,
///          after its visit, and returns a range of nodes, or is children(node, add) and calls
///          add(child) for each. It is no graph: a node that can be reached twice is visited twice.
///          Brothers come in any order, at the same time if somebody is idle.
/// Options  stop, priority, on, isolate. grain means nothing here. progress is refused with
///          `usage_error`: how many nodes there are is not known.
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
  detail::require_no_progress(o, "walk_prefix");
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
  detail::require_no_progress(o, "walk_postfix");
  detail::launch(
      o, [&] { detail::walk_postfix_with(detail::parallel_fork{}, root, children, visit, o); });
}

}  // namespace filch

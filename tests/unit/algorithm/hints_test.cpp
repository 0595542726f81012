// What bridges and walks skip because one of their threads has notified the others: counted, on
// forks with a known order.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "filch/algorithm/bridge.hpp"
#include "filch/algorithm/walk.hpp"
#include "filch/options.hpp"
#include "support/eventually.hpp"
#include "support/fork_policies.hpp"

using filch::detail::ticks;
using filch::detail::ticks_of_a_leaf;
using filch::test::branch_tasks;
using filch::test::sequential_fork;
using filch::test::stealing_fork;

namespace {

/// The second branch of every fork is stolen at once, by its own thread. No operation is quick.
class thread_fork {
 public:
  template <class F, class G>
  auto operator()(F&& f, G&& g) const
      -> std::pair<filch::detail::result_of<F>, filch::detail::result_of<G>> {
    filch::detail::outcome<filch::detail::result_of<F>> first;
    filch::detail::outcome<filch::detail::result_of<G>> second;
    ++stolen_;
    std::thread thief([&] {
      second.run(g);
      --stolen_;
    });
    first.run(f);
    thief.join();
    return sequential_fork::both(first, second);
  }
  std::size_t workers() const { return 2; }
  std::uintptr_t here() const noexcept {
    return std::hash<std::thread::id>()(std::this_thread::get_id());
  }
  bool hungry() const noexcept { return true; }
  ticks now() const noexcept { return time_.fetch_add(ticks_of_a_leaf); }

  /// How many second branches have begun and not ended.
  int stolen() const noexcept { return stolen_; }

 private:
  mutable std::atomic<int> stolen_ = 0;
  mutable std::atomic<ticks> time_ = 1;
};

TEST(bridge_hints, nothing_is_read_while_a_thread_waits_for_an_item_if_another_one_has_failed) {
  using item = std::unique_ptr<const int, std::function<void(const int*)>>;
  const thread_fork fork;
  std::atomic<bool> may_fail = false;
  std::atomic<bool> has_failed = false;
  std::atomic<int> reads = 0;
  static constexpr int numbers[] = {0, 1, 2, 3};
  auto next = [&]() -> std::optional<item> {
    const int read = reads++;
    if (read == 2) {
      may_fail = true;
      filch::test::until([&] { return has_failed.load(); });
    }
    if (read > 3) return std::nullopt;
    // An item is destroyed when it is known that the work on it has failed.
    return item(&numbers[read], [&](const int* number) {
      if (*number == 0) has_failed = true;
    });
  };
  auto work = [&](const item& each) {
    if (*each == 0) {
      filch::test::until([&] { return may_fail.load(); });
      throw std::runtime_error("the first one");
    }
    // The thread that reads after this one comes back, or reads on.
    if (*each == 1) filch::test::until([&] { return fork.stolen() == 1 || reads > 3; });
  };
  EXPECT_THROW(filch::detail::bridge_with<item>(fork, next, work, {}), std::runtime_error);
  EXPECT_EQ(reads, 3);
}

TEST(bridge_hints, however_quick_items_are_another_thread_may_read_after_a_while) {
  const sequential_fork fork;
  constexpr std::size_t items = 1000;
  std::size_t read = 0;
  auto next = [&]() -> std::optional<int> {
    if (read++ == items) return std::nullopt;
    return 1;
  };
  auto work = [&](int) { fork.advance(ticks_of_a_leaf / 20); };
  EXPECT_EQ(filch::detail::bridge_with<int>(fork, next, work, {}), items);
  EXPECT_GE(fork.forks(), items / 25) << "the time of a leaf is that of twenty items";
  EXPECT_LE(fork.forks(), items / 15) << "not for every item";
}

TEST(bridge_hints, another_thread_may_read_after_a_slow_item_among_quick_ones) {
  const sequential_fork fork;
  constexpr std::size_t items = 100;
  std::size_t read = 0;
  auto next = [&]() -> std::optional<std::size_t> {
    if (read == items) return std::nullopt;
    return read++;
  };
  // Every other item is slow. It follows a quick one, so it has no fork.
  auto work = [&](std::size_t i) { fork.advance(i % 2 == 0 ? 1 : ticks_of_a_leaf / 10); };
  EXPECT_EQ(filch::detail::bridge_with<std::size_t>(fork, next, work, {}), items);
  EXPECT_EQ(fork.forks(), items / 2);
}

/// Tasks wait until the walk of the first part has ended. It counts them. The first `refused` of
/// them find no memory.
class waiting_tasks_fork : public sequential_fork {
 public:
  class tasks : public branch_tasks<sequential_fork> {
   public:
    explicit tasks(const waiting_tasks_fork& fork) : branch_tasks(fork), fork_(fork) {}
    template <class F>
    void spawn(F f) {
      if (fork_.spawned_++ < fork_.refused_) throw std::bad_alloc();
      branch_tasks::spawn(std::move(f));
    }

   private:
    const waiting_tasks_fork& fork_;
  };

  explicit waiting_tasks_fork(std::size_t refused) : refused_(refused) {}
  std::size_t spawned() const noexcept { return spawned_; }

 private:
  std::size_t refused_;
  mutable std::size_t spawned_ = 0;
};

/// Two children for each of the first 500 numbers.
std::vector<int> two_children(int i) {
  return i < 500 ? std::vector{2 * i + 1, 2 * i + 2} : std::vector<int>();
}

TEST(walk_hints, one_task_at_a_time_says_where_nodes_wait) {
  const waiting_tasks_fork fork(0);
  int visits = 0;
  auto visit = [&](int) { ++visits; };
  filch::detail::walk_prefix_with(fork, 0, two_children, visit, {});
  EXPECT_EQ(visits, 1001);
  EXPECT_EQ(fork.spawned(), 1u);
}

TEST(walk_hints, nodes_that_no_task_could_be_made_for_are_not_forgotten) {
  const waiting_tasks_fork fork(3);
  int visits = 0;
  auto visit = [&](int) { ++visits; };
  filch::detail::walk_prefix_with(fork, 0, two_children, visit, {});
  EXPECT_EQ(visits, 1001);
  EXPECT_EQ(fork.spawned(), 4u);
}

/// The first tasks have their own threads. The others are kept, and run when the test says so, or
/// never.
class helpers_fork : public sequential_fork {
 public:
  class tasks {
   public:
    explicit tasks(const helpers_fork& fork) : fork_(fork) {}
    template <class F>
    void run(F&& f) {
      f();
      fork_.first_part_has_ended_ = true;
      for (std::thread& each : fork_.helpers_) each.join();
    }
    template <class F>
    void spawn(F f) {
      const std::scoped_lock lock(fork_.mutex_);
      if (++fork_.spawned_ > fork_.threads_)
        fork_.kept_.push_back(std::move(f));
      else
        fork_.helpers_.emplace_back(std::move(f));
    }

   private:
    const helpers_fork& fork_;
  };

  explicit helpers_fork(std::size_t threads) : threads_(threads) {}

  std::size_t spawned() const {
    const std::scoped_lock lock(mutex_);
    return spawned_;
  }
  bool first_part_has_ended() const { return first_part_has_ended_; }
  void run_kept() const {
    std::vector<std::function<void()>> now;
    {
      const std::scoped_lock lock(mutex_);
      now.swap(kept_);
    }
    for (const auto& each : now) each();
  }

 private:
  std::size_t threads_;
  mutable std::atomic<bool> first_part_has_ended_ = false;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::size_t spawned_ = 0;
  mutable std::vector<std::thread> helpers_;
  mutable std::vector<std::function<void()>> kept_;
};

TEST(walk_hints, when_a_task_has_found_no_node_another_one_says_where_later_nodes_wait) {
  const helpers_fork fork(0);
  // The nodes 1 and 2 are below the root, 3 and 4 are below 2.
  auto children = [](int i) {
    return i == 0 ? std::vector{1, 2} : i == 2 ? std::vector{3, 4} : std::vector<int>();
  };
  std::vector<int> visited;
  auto visit = [&](int node) {
    if (node == 2) {
      EXPECT_EQ(fork.spawned(), 1u) << "while 2 has waited";
      fork.run_kept();  // it comes too late for 2
    }
    if (node == 3) {
      EXPECT_EQ(fork.spawned(), 2u) << "4 waits";
    }
    visited.push_back(node);
  };
  filch::detail::walk_prefix_with(fork, 0, children, visit, {});
  EXPECT_EQ(visited, (std::vector{0, 1, 2, 3, 4}));
}

/// Looks for a node, and counts the nodes that it sees.
class looking_for {
 public:
  using result = std::optional<int>;
  class folder {
   public:
    explicit folder(const looking_for& all) : all_(all) {}
    void take(int node) {
      all_.see_(node);
      if (node == all_.wanted_) found_ = node;
    }
    void add(result&& later) {
      if (!found_) found_ = later;
    }
    bool full() const { return found_.has_value(); }
    result finish() && { return found_; }

   private:
    const looking_for& all_;
    result found_;
  };

  looking_for(int wanted, std::function<void(int)> see) : wanted_(wanted), see_(std::move(see)) {}
  folder begin() const { return folder(*this); }
  bool enough(const result& r) const { return r.has_value(); }

 private:
  int wanted_;
  std::function<void(int)> see_;
};

constexpr int children = 1000;
/// A root with so many children.
std::vector<int> only_leaves(int i) {
  std::vector<int> all;
  for (int k = 1; i == 0 && k <= children; ++k) all.push_back(k);
  return all;
}

template <class Fork>
using leaf_walk = filch::detail::walk<Fork, int, decltype(only_leaves), looking_for>;

TEST(walk_hints, in_postfix_order_nothing_behind_a_hit_is_visited_by_thieves) {
  const stealing_fork fork(stealing_fork::when::after);
  const filch::options o;
  filch::detail::loop_state state(o, 0);
  int seen = 0;
  const looking_for visits(1, [&](int) { ++seen; });
  EXPECT_EQ(leaf_walk<stealing_fork>(fork, only_leaves, visits, state).postfix(0), 1);
  EXPECT_EQ(seen, 1);
}

/// Looks for the first child while `threads` helpers are busy with one node each. A helper whose
/// node has been seen calls `then` when the walk of the first part has ended. Returns the number of
/// nodes that helpers have seen.
int seen_behind_a_hit(std::size_t threads, const std::function<void(const helpers_fork&)>& then) {
  const helpers_fork fork(threads);
  const filch::options o;
  filch::detail::loop_state state(o, 0);
  std::atomic<std::size_t> seen_behind = 0;
  const looking_for visits(1, [&](int node) {
    if (node == 1) filch::test::until([&] { return seen_behind == threads; });
    if (node <= 1) return;
    ++seen_behind;
    filch::test::until([&] { return fork.first_part_has_ended(); });
    then(fork);
  });
  EXPECT_EQ(leaf_walk<helpers_fork>(fork, only_leaves, visits, state).prefix(0), 1);
  return static_cast<int>(seen_behind);
}

TEST(walk_hints, in_prefix_order_nothing_behind_a_hit_is_begun_by_those_who_had_begun_before_it) {
  EXPECT_EQ(seen_behind_a_hit(1, [](const helpers_fork&) {}), 1);
  EXPECT_EQ(seen_behind_a_hit(3, [](const helpers_fork&) {}), 3);
}

TEST(walk_hints, in_prefix_order_a_task_that_comes_after_a_hit_begins_nothing_behind_it) {
  const auto run_the_others = [](const helpers_fork& fork) { fork.run_kept(); };
  EXPECT_EQ(seen_behind_a_hit(1, run_the_others), 1);
}

}  // namespace

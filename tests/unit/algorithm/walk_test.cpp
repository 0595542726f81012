#include "filch/algorithm/walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/sanitizers.hpp"

using filch::detail::walk_postfix_with;
using filch::detail::walk_prefix_with;

namespace {

struct node {
  std::size_t parent;
  std::vector<std::size_t> children;
  std::atomic<int> visits = 0;
  std::atomic<std::size_t> below = 0;  // the sum over its subtree
};

/// Random trees: node i hangs below one of the `reach` nodes before it.
class walk_on : public filch::test::on_any_fork {
 protected:
  std::vector<node> tree(std::size_t n, std::size_t reach) {
    std::vector<node> nodes(n);
    for (std::size_t i = 1; i < n; ++i) {
      const auto back = 1 + random().bounded(static_cast<std::uint32_t>(std::min(i, reach)));
      nodes[i].parent = i - back;
      nodes[i - back].children.push_back(i);
    }
    return nodes;
  }
};
FILCH_TEST_ON_EVERY_FORK(walk_on);

TEST_P(walk_on, prefix_visits_every_node_once_and_parents_first) {
  for (const std::size_t n : {1u, 2u, 3u, 10u, 100u, 5000u})
    for (const std::size_t reach : {1u, 2u, 50u, 1'000'000u}) {
      auto nodes = tree(n, reach);
      run([&](const auto& fork) {
        auto children = [&](std::size_t i) -> const auto& { return nodes[i].children; };
        auto visit = [&](std::size_t i) {
          if (i != 0) {
            EXPECT_EQ(nodes[nodes[i].parent].visits, 1);
          }
          ++nodes[i].visits;
        };
        walk_prefix_with(fork, std::size_t{0}, children, visit, {});
      });
      for (const node& each : nodes) ASSERT_EQ(each.visits, 1);
    }
}

TEST_P(walk_on, postfix_visits_every_node_once_and_children_first) {
  for (const std::size_t most : {1u, 2u, 3u, 10u, 100u, 5000u})
    for (const std::size_t reach : {2u, 50u, 1'000'000u}) {
      const std::size_t n = std::min(most, 500 * reach);  // each level takes stack space
      auto nodes = tree(n, reach);
      run([&](const auto& fork) {
        auto children = [&](std::size_t i, auto add) {
          for (const std::size_t child : nodes[i].children) add(child);
        };
        auto visit = [&](std::size_t i) {
          ++nodes[i].visits;
          std::size_t sum = 1;
          for (const std::size_t child : nodes[i].children) sum += nodes[child].below;
          nodes[i].below = sum;
        };
        walk_postfix_with(fork, std::size_t{0}, children, visit, {});
      });
      for (const node& each : nodes) ASSERT_EQ(each.visits, 1);
      EXPECT_EQ(nodes[0].below, n);
    }
}

TEST_P(walk_on, an_exception_stops_it_and_is_thrown) {
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 1 + random().bounded(2000);
    const std::size_t bad = random().bounded(static_cast<std::uint32_t>(n));
    const bool in_children = random().bounded(2) == 0;
    auto nodes = tree(n, 20);
    auto children = [&](std::size_t i) {
      if (in_children && i == bad) throw std::runtime_error("children");
      return nodes[i].children;
    };
    auto visit = [&](std::size_t i) {
      ++nodes[i].visits;
      if (!in_children && i == bad) throw std::runtime_error("visit");
    };
    run([&](const auto& fork) {
      EXPECT_THROW(walk_prefix_with(fork, std::size_t{0}, children, visit, {}), std::runtime_error);
      EXPECT_THROW(walk_postfix_with(fork, std::size_t{0}, children, visit, {}),
                   std::runtime_error);
    });
    for (const std::size_t child : nodes[bad].children) EXPECT_LE(nodes[child].visits, 1);
    for (const node& each : nodes) EXPECT_LE(each.visits, 2);
  }
}

TEST_P(walk_on, a_stop_skips_the_rest_and_throws_cancelled) {
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 2 + random().bounded(2000);
    const std::size_t when = random().bounded(static_cast<std::uint32_t>(n));
    auto nodes = tree(n, 20);
    for (const bool prefix : {true, false}) {
      std::stop_source source;
      std::atomic<std::size_t> visits = 0;
      auto children = [&](std::size_t i) -> const auto& { return nodes[i].children; };
      auto visit = [&](std::size_t i) {
        ++visits;
        if (i == when) source.request_stop();
      };
      bool stopped = false;
      run([&](const auto& fork) {
        try {
          if (prefix)
            walk_prefix_with(fork, std::size_t{0}, children, visit, {.stop = source.get_token()});
          else
            walk_postfix_with(fork, std::size_t{0}, children, visit, {.stop = source.get_token()});
        } catch (const filch::cancelled&) {
          stopped = true;
        }
      });
      EXPECT_EQ(stopped, visits != n);
    }
  }
}

/// There is nothing left to skip.
TEST_P(walk_on, a_stop_by_the_last_visit_is_no_cancellation) {
  for (const std::size_t n : {1u, 2u, 500u}) {
    auto nodes = tree(n, 20);
    for (const bool prefix : {true, false}) {
      std::stop_source source;
      std::atomic<std::size_t> visits = 0;
      auto children = [&](std::size_t i) -> const auto& { return nodes[i].children; };
      auto visit = [&](std::size_t) {
        if (++visits == n) source.request_stop();
      };
      run([&](const auto& fork) {
        if (prefix)
          EXPECT_NO_THROW(walk_prefix_with(fork, std::size_t{0}, children, visit,
                                           {.stop = source.get_token()}));
        else
          EXPECT_NO_THROW(walk_postfix_with(fork, std::size_t{0}, children, visit,
                                            {.stop = source.get_token()}));
      });
      EXPECT_EQ(visits, n);
    }
  }
}

/// A spine of `depth` nodes, the even numbers. Other shapes have a leaf at each node, the odd
/// numbers, which comes before or after the nodes below.
enum class shape { spine, leaf_first, leaf_last };

std::vector<std::size_t> children_in(shape s, std::size_t depth, std::size_t i) {
  if (i % 2 != 0 || i + 2 >= 2 * depth) return {};
  if (s == shape::spine) return {i + 2};
  return s == shape::leaf_first ? std::vector{i + 1, i + 2} : std::vector{i + 2, i + 1};
}
std::size_t nodes_in(shape s, std::size_t depth) {
  return s == shape::spine ? depth : 2 * depth - 1;
}

/// The distance of the addresses on the stack of this thread so far.
class stack_use {
 public:
  void look() {
    const char here = 0;
    const auto at = reinterpret_cast<std::uintptr_t>(&here);
    thread_local std::uintptr_t lowest = 0, highest = 0;
    thread_local const stack_use* last = nullptr;
    if (std::exchange(last, this) != this) lowest = highest = at;
    lowest = std::min(lowest, at);
    highest = std::max(highest, at);
    std::size_t old = most_;
    while (old < highest - lowest && !most_.compare_exchange_weak(old, highest - lowest)) {
    }
  }
  std::size_t most() const { return most_; }

 private:
  std::atomic<std::size_t> most_ = 0;
};

TEST(walk_prefix, needs_neither_stack_nor_spare_threads_for_a_deep_tree) {
  filch::pool p(3);
  filch::test::watch(p);
  for (const std::size_t depth : {1'000u, filch::test::size_for_build(100'000u, 30'000u),
                                  filch::test::size_for_build(1'000'000u, 2'000u)})
    for (const shape s : {shape::leaf_first, shape::spine, shape::leaf_last}) {
      if (depth > 100'000u && s != shape::leaf_first) break;  // takes seconds
      std::atomic<std::size_t> visits = 0;
      stack_use stack;
      p.install([&] {
        filch::walk_prefix(
            std::size_t{0}, [&](std::size_t i) { return children_in(s, depth, i); },
            [&](std::size_t) {
              ++visits;
              stack.look();
            });
      });
      EXPECT_EQ(visits, nodes_in(s, depth));
      EXPECT_LT(stack.most(), 100'000u);
    }
  EXPECT_EQ(p.metrics().spares.jobs, 0u);
}

/// Another thread takes the leaves, however many there have been.
TEST(walk_prefix, of_a_deep_tree_is_parallel_to_the_end) {
  filch::pool p(2);
  filch::test::watch(p);
  constexpr std::size_t depth = 20'000;
  for (const shape s : {shape::leaf_first, shape::leaf_last}) {
    std::vector<std::atomic<bool>> begun(2 * depth);
    p.install([&] {
      filch::walk_prefix(
          std::size_t{0}, [&](std::size_t i) { return children_in(s, depth, i); },
          [&](std::size_t i) {
            begun[i] = true;
            // Late in the walk two siblings wait for each other.
            if (i < depth || i % 1000 > 2 || i % 1000 == 0 || i + 2 >= 2 * depth) return;
            const std::size_t brother = i % 2 == 0 ? i - 1 : i + 1;
            filch::test::until([&] { return begun[brother].load(); });
          });
    });
  }
}

/// The rest does not begin.
TEST(walk_prefix, an_exception_in_the_middle_of_a_deep_tree_ends_it) {
  filch::pool p(3);
  filch::test::watch(p);
  constexpr std::size_t depth = 100'000;
  for (const shape s : {shape::spine, shape::leaf_first, shape::leaf_last}) {
    std::atomic<std::size_t> visits = 0;
    p.install([&] {
      EXPECT_THROW(filch::walk_prefix(
                       std::size_t{0}, [&](std::size_t i) { return children_in(s, depth, i); },
                       [&](std::size_t i) {
                         ++visits;
                         if (i == depth) throw std::runtime_error("in the middle");
                       }),
                   std::runtime_error);
    });
    EXPECT_LT(visits, nodes_in(s, depth));
  }
}

TEST(walk_prefix, from_a_thread_outside_takes_part) {
  std::atomic<std::size_t> visits = 0;
  std::atomic<bool> here = false;
  const auto me = std::this_thread::get_id();
  filch::walk_prefix(
      std::size_t{0},
      [](std::size_t i) {
        return i < 1000 ? std::vector{2 * i + 1, 2 * i + 2} : std::vector<std::size_t>();
      },
      [&](std::size_t) {
        if (std::this_thread::get_id() == me) here = true;
        ++visits;
      });
  EXPECT_EQ(visits, 2001u);
  EXPECT_TRUE(here);
}

struct owning_node {
  int value;
  std::unique_ptr<owning_node> left, right;
};

TEST(walk_postfix, of_pointers_on_a_pool) {
  filch::pool p(2);
  filch::test::watch(p);
  owning_node root{1, std::make_unique<owning_node>(owning_node{2, {}, {}}),
                   std::make_unique<owning_node>(owning_node{3, {}, {}})};
  const auto children = [](const owning_node* at, auto add) {
    if (at->left) add(at->left.get());
    if (at->right) add(at->right.get());
  };
  std::atomic<int> sum = 0;
  filch::walk_postfix(static_cast<const owning_node*>(&root), children,
                      [&](const owning_node* at) { sum += at->value; }, {.on = &p});
  filch::walk_prefix(static_cast<const owning_node*>(&root), children,
                     [&](const owning_node* at) { sum += at->value; }, {.on = &p});
  EXPECT_EQ(sum, 12);
}

}  // namespace

#include "filch/algorithm/walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork.hpp"
#include "support/hang_guard.hpp"

using filch::detail::walk_postfix_with;
using filch::detail::walk_prefix_with;

namespace {

struct node {
  std::size_t parent;
  std::vector<std::size_t> children;
  std::atomic<int> visits = 0;
  std::atomic<std::size_t> below = 0;  // of a sum over the subtree
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
      const std::size_t n = std::min(most, 500 * reach);  // a level takes stack
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

TEST(walk_prefix, needs_no_stack_for_a_deep_tree) {
  constexpr std::size_t depth = 300'000;
  std::atomic<std::size_t> visits = 0;
  // A spine with a leaf at every node.
  const auto children = [&](std::size_t i) {
    return i % 2 == 0 && i < 2 * depth ? std::vector<std::size_t>{i + 1, i + 2}
                                       : std::vector<std::size_t>();
  };
  filch::walk_prefix(std::size_t{0}, children, [&](std::size_t) { ++visits; });
  EXPECT_EQ(visits, 2 * depth + 1);
}

struct place {
  int value;
  std::unique_ptr<place> left, right;
};

TEST(walk_postfix, of_pointers_on_a_pool) {
  filch::pool p(2);
  filch::test::watch(p);
  place root{1, std::make_unique<place>(place{2, {}, {}}),
             std::make_unique<place>(place{3, {}, {}})};
  const auto children = [](const place* at, auto add) {
    if (at->left) add(at->left.get());
    if (at->right) add(at->right.get());
  };
  std::atomic<int> sum = 0;
  filch::walk_postfix(static_cast<const place*>(&root), children,
                      [&](const place* at) { sum += at->value; }, {.on = &p});
  filch::walk_prefix(static_cast<const place*>(&root), children,
                     [&](const place* at) { sum += at->value; }, {.on = &p});
  EXPECT_EQ(sum, 12);
}

}  // namespace

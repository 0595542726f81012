#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/pool.hpp"
#include "filch/ranges.hpp"
#include "filch/this_worker.hpp"
#include "support/any_fork_policy.hpp"
#include "support/numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::numbers;
using filch::test::par_on;

namespace {

class adaptors_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(adaptors_on);

TEST_P(adaptors_on, filter_keeps_what_the_predicate_holds_for_in_order) {
  for (const std::size_t n : filch::test::sizes()) {
    const std::vector<int> v = numbers(n);
    std::vector<int> expected;
    for (const int x : v)
      if (x % 3 == 0) expected.push_back(x);
    run([&](const auto& fork) {
      const auto divides = [](int x) { return x % 3 == 0; };
      ASSERT_EQ(par_on(fork, v).filter(divides).to_vector(), expected);
      ASSERT_EQ(par_on(fork, v).filter(divides).count(), expected.size());
      ASSERT_EQ(par_on(fork, v).filter(divides).sum(),
                std::accumulate(expected.begin(), expected.end(), 0));
      ASSERT_EQ(par_on(fork, v).filter(divides).find_first().has_value(), n != 0);
    });
  }
}

TEST_P(adaptors_on, filter_moves_elements_that_it_owns) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i != 3000; ++i) v.push_back(std::make_unique<int>(i));
    const auto even = par_on(fork, std::move(v))
                          .filter([](const std::unique_ptr<int>& p) { return *p % 2 == 0; })
                          .to_vector();
    ASSERT_EQ(even.size(), 1500u);
    for (std::size_t i = 0; i != even.size(); ++i) ASSERT_EQ(*even[i], 2 * static_cast<int>(i));
  });
}

TEST_P(adaptors_on, filter_map_takes_optionals_and_pointers) {
  const std::vector<int> v = numbers(5000);
  run([&](const auto& fork) {
    const auto half = [](int x) { return x % 2 == 0 ? std::optional(x / 2) : std::nullopt; };
    ASSERT_EQ(par_on(fork, v).filter_map(half).to_vector(), numbers(2500));
    const auto where = [](const int& x) { return x < 10 ? &x : nullptr; };
    ASSERT_EQ(par_on(fork, v).filter_map(where).to_vector(), numbers(10));
  });
}

TEST_P(adaptors_on, inspect_sees_every_item_once_and_update_may_change_it) {
  std::vector<int> v = numbers(5000);
  run([&](const auto& fork) {
    std::atomic<int> seen{0};
    auto same = par_on(fork, v).inspect([&](const int& x) { seen += x; }).copied();
    EXPECT_EQ(same.sum(), 12'497'500);
    EXPECT_EQ(seen, 12'497'500);
    std::vector<std::string> words(1000, "a");
    auto longer = par_on(fork, std::move(words)).update([](std::string& s) { s += 'b'; });
    EXPECT_EQ(longer.to_vector(), std::vector<std::string>(1000, "ab"));
    std::vector<int> changed = v;
    par_on(fork, changed).update([](int& x) { ++x; }).for_each([](int) {});
    EXPECT_EQ(std::accumulate(changed.begin(), changed.end(), 0), 12'497'500 + 5000);
  });
}

TEST_P(adaptors_on, fold_gives_one_value_for_each_leaf) {
  for (const std::size_t n : filch::test::sizes(5000)) {
    const std::vector<int> v = numbers(n);
    run([&](const auto& fork) {
      const auto sets = par_on(fork, v)
                            .fold([] { return std::set<int>(); },
                                  [](std::set<int> s, int x) {
                                    s.insert(x);
                                    return s;
                                  })
                            .to_vector();
      std::size_t next = 0;
      for (const auto& set : sets)
        for (const int x : set) ASSERT_EQ(static_cast<std::size_t>(x), next++);
      ASSERT_EQ(next, n);
    });
  }
}

TEST_P(adaptors_on, what_makes_states_may_change_and_is_copied) {
  const std::vector<int> v = numbers(5000);
  const auto first_call = [calls = 0]() mutable { return calls++; };  // 0 from each copy
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, v).fold(first_call, std::plus<>()).sum(), 12'497'500);
    const auto add = [](int& state, int x) { return state + x; };
    EXPECT_EQ(par_on(fork, v).map_init(first_call, add).sum(), 12'497'500);
  });
}

TEST_P(adaptors_on, states_of_map_init_are_used_by_one_at_a_time_and_destroyed_at_the_end) {
  struct state {
    explicit state(std::atomic<int>& all) : alive(all) { ++alive; }
    state(const state&) = delete;
    ~state() { --alive; }
    std::atomic<int>& alive;
    std::atomic<bool> busy{false};
  };
  const std::vector<int> v = numbers(5000);
  std::atomic<int> alive{0};
  run([&](const auto& fork) {
    auto chain = par_on(fork, v).map_init([&] { return std::make_unique<state>(alive); },
                                          [&](std::unique_ptr<state>& s, int x) {
                                            EXPECT_FALSE(s->busy.exchange(true));
                                            EXPECT_GE(alive, 1);
                                            s->busy = false;
                                            return x;
                                          });
    EXPECT_EQ(chain.to_vector(), v);
    EXPECT_EQ(alive, 0);
  });
}

TEST_P(adaptors_on, a_small_state_is_in_the_next_leaf_what_it_was_in_the_last) {
  const std::vector<int> v = numbers(5000);
  run([&](const auto& fork) {
    std::atomic<std::size_t> made{0};
    const std::vector<int> calls = par_on(fork, v)
                                       .map_init(
                                           [&] {
                                             ++made;
                                             return 0;
                                           },
                                           [](int& count, int) { return ++count; })
                                       .to_vector();
    EXPECT_EQ(calls.size(), v.size());
    EXPECT_EQ(static_cast<std::size_t>(std::count(calls.begin(), calls.end(), 1)), made);
  });
}

TEST_P(adaptors_on, a_state_is_not_used_by_a_chain_within_the_chain) {
  const std::vector<int> v = numbers(50);
  run([&](const auto& fork) {
    const auto total = par_on(fork, v)
                           .map_init([] { return 0; },
                                     [&](int& depth, int x) {
                                       EXPECT_EQ(depth, 0);
                                       depth = 1;
                                       const auto inner = par_on(fork, v).sum();
                                       depth = 0;
                                       return x + inner;
                                     })
                           .sum();
    EXPECT_EQ(total, 51 * 1225);
  });
}

TEST_P(adaptors_on, take_any_and_skip_any_count) {
  const std::vector<int> v = numbers(5000);
  const std::vector<int> many = numbers(100'000);
  const auto is_part_in_order = [](const std::vector<int>& some) {
    return std::is_sorted(some.begin(), some.end()) &&
           std::set<int>(some.begin(), some.end()).size() == some.size();
  };
  run([&](const auto& fork) {
    for (const std::size_t n : {0u, 1u, 17u, 4999u, 5000u, 6000u}) {
      const auto some = par_on(fork, v).take_any(n).to_vector();
      EXPECT_EQ(some.size(), std::min<std::size_t>(n, 5000));
      EXPECT_TRUE(is_part_in_order(some));
      const auto few = par_on(fork, many).take_any(n).to_vector();
      EXPECT_EQ(few.size(), n);
      EXPECT_TRUE(is_part_in_order(few));
      EXPECT_EQ(par_on(fork, v).skip_any(n).count(), 5000 - std::min<std::size_t>(n, 5000));
      std::atomic<std::size_t> calls{0};
      par_on(fork, v).filter([](int x) { return x >= 0; }).take_any(n).for_each([&](int) {
        ++calls;
      });
      EXPECT_EQ(calls, std::min<std::size_t>(n, 5000));
      EXPECT_EQ(par_on(fork, v).take_any(n).find_first().has_value(), n != 0);
    }
  });
}

TEST_P(adaptors_on, of_several_exceptions_the_leftmost_is_thrown) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    try {
      (void)par_on(fork, v)
          .with_grain(10'000)
          .filter([](int x) -> bool {
            if (x >= 7) throw x;
            return true;
          })
          .to_vector();
      ADD_FAILURE();
    } catch (int x) {
      EXPECT_EQ(x, 7);
    }
  });
}

TEST_P(adaptors_on, a_stop_skips_the_rest_and_throws_cancelled) {
  const std::vector<int> v = numbers(100'000);
  run([&](const auto& fork) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)par_on(fork, v).until(stop.get_token()).sum(), filch::cancelled);
    EXPECT_THROW((void)par_on(fork, v)
                     .filter([](int) { return true; })
                     .with({.stop = stop.get_token()})
                     .to_vector(),
                 filch::cancelled);
  });
}

TEST(adaptors, a_chain_runs_on_the_pool_of_its_options) {
  filch::pool pool(2);
  const std::vector<int> v = numbers(1000);
  const auto inside = [](int) { return filch::this_worker::index().has_value(); };
  EXPECT_EQ(filch::par(v).on(pool).filter(inside).count(), 1000u);
}

}  // namespace

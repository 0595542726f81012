// Sorts with functions that throw or contradict themselves, with moves that throw, and without
// memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "filch/algorithm/merge.hpp"
#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "support/allocations.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/orders.hpp"
#include "support/sanitizers.hpp"

namespace {

using filch::detail::order_with;
using filch::test::fail_allocation;
using filch::test::numbers_in;
using filch::test::order;
using filch::test::sorted_numbers_of;
using filch::test::watched;
using filch::test::watched_numbers;

enum class what { sort, stable_sort, nth_element, partial_sort, inplace_merge };
constexpr what everything[] = {what::sort, what::stable_sort, what::nth_element, what::partial_sort,
                               what::inplace_merge};

/// Runs algorithm `w` on `v`, on `fork`.
template <class Fork, class V, class Comp, class Proj>
void perform(what w, const Fork& fork, V& v, Comp& comp, Proj& proj) {
  const filch::options o;
  const std::size_t middle = v.size() / 3;
  order_with(fork, 0, o, [&](const auto& f) {
    using namespace filch::detail;
    switch (w) {
      case what::sort:
        return sort_range<false>(f, v.begin(), v.size(), comp, proj, o);
      case what::stable_sort:
        return sort_range<true>(f, v.begin(), v.size(), comp, proj, o);
      case what::nth_element:
        return nth_element_with(f, v.begin(), middle, v.size(), comp, proj, o);
      case what::partial_sort:
        return partial_sort_with(f, v.begin(), middle, v.size(), comp, proj, o);
      case what::inplace_merge:
        return with_order(v.begin(), comp, proj, [&](auto begin, auto less) {
          merge_in_place(f, begin, middle, v.size(), less, 1000);
        });
    }
  });
}

struct refused : std::runtime_error {
  refused() : std::runtime_error("refused") {}
};

class failing_sort_on : public filch::test::on_any_fork {
 protected:
  /// Sizes that take the different ways: networks, in place, digits, samples.
  static constexpr std::size_t sizes[6] = {3, 15, 31, 200, 2000, 35'000};

  std::vector<std::uint64_t> numbers(std::size_t n) {
    const auto how = filch::test::every_order[random().bounded(11)];
    return numbers_in(how == order::equal ? order::random : how, n, random());
  }
};
FILCH_TEST_ON_EVERY_FORK(failing_sort_on);

TEST_P(failing_sort_on, loses_nothing_if_the_comparator_throws) {
  for (const what w : everything)
    for (const std::size_t n : sizes)
      for (int round = 0; round < (n > 10'000 ? filch::test::size_for_build(2, 1) : 6); ++round) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(w) << " of " << n);
        const auto given = numbers(n);
        auto expected = given;
        std::sort(expected.begin(), expected.end());
        // Up to n log n comparisons: the exception comes early, late, or not at all.
        const std::size_t most = n * (n > 1000 ? 12 : 5);
        const int at = 1 + static_cast<int>(random().bounded(static_cast<std::uint32_t>(most)));
        std::identity self;
        const auto attempt = [&](auto& v, auto number) {
          std::atomic<int> left = at;
          auto comp = [&](const auto& a, const auto& b) {
            if (--left == 0) throw refused();
            return number(a) < number(b);
          };
          run([&](const auto& fork) {
            try {
              perform(w, fork, v, comp, self);
            } catch (const refused&) {
            }
          });
        };
        // With many elements only one kind at a time, because all would take too long.
        const std::uint32_t only = n > 10'000 ? random().bounded(3) : 3;
        if (only == 0 || only == 3) {
          auto plain = given;
          attempt(plain, [](std::uint64_t x) { return x; });
          std::sort(plain.begin(), plain.end());
          ASSERT_EQ(plain, expected);
        }
        if (only == 1 || only == 3) {
          auto steady = watched_numbers<watched<false>>(given);
          attempt(steady, [](const auto& x) { return x.number(); });
          ASSERT_EQ(sorted_numbers_of(steady), expected);
          ASSERT_EQ(watched<false>::live(), static_cast<int>(n));
        }
        if (only == 2 || only == 3) {
          auto risky = watched_numbers<watched<true>>(given);
          attempt(risky, [](const auto& x) { return x.number(); });
          ASSERT_EQ(sorted_numbers_of(risky), expected);
          ASSERT_EQ(watched<true>::live(), static_cast<int>(n));
        }
        ASSERT_EQ(watched<false>::errors() + watched<true>::errors(), 0);
        ASSERT_EQ(watched<false>::live() + watched<true>::live(), 0);
      }
}

TEST_P(failing_sort_on, loses_nothing_if_the_projection_throws) {
  for (const what w : {what::sort, what::stable_sort})
    for (const std::size_t n : {600u, 3000u, 70'000u})
      for (int round = 0; round < (n > 10'000 ? filch::test::size_for_build(2, 1) : 4); ++round) {
        const auto given = numbers(n);
        auto expected = given;
        std::sort(expected.begin(), expected.end());
        std::atomic<int> left =
            1 + static_cast<int>(random().bounded(static_cast<std::uint32_t>(8 * n)));
        auto proj = [&](std::uint64_t x) {
          if (--left == 0) throw refused();
          return x;
        };
        std::ranges::less less;
        auto v = given;
        run([&](const auto& fork) {
          try {
            perform(w, fork, v, less, proj);
          } catch (const refused&) {
          }
        });
        std::sort(v.begin(), v.end());
        ASSERT_EQ(v, expected);
      }
}

// Buckets whose elements have the next digits in common skip these digits. If a key throws later,
// such a bucket must be put back only once: a second time would write elements that are not needed.
TEST_P(failing_sort_on, puts_a_bucket_that_skips_digits_back_once) {
  std::vector<std::uint64_t> given;
  for (std::uint64_t i = 0; i < 1200; ++i)
    given.push_back((i % 3) << 60 | (random().bounded(300) << (i % 3 * 4)));
  auto expected = given;
  std::sort(expected.begin(), expected.end());
  for (int at = 1; at < 20'000; at += 97) {
    std::atomic<int> left = at;
    auto proj = [&](std::uint64_t x) {
      if (--left == 0) throw refused();
      return x;
    };
    std::ranges::less less;
    auto v = given;
    run([&](const auto& fork) {
      try {
        perform(what::stable_sort, fork, v, less, proj);
      } catch (const refused&) {
      }
    });
    std::sort(v.begin(), v.end());
    ASSERT_EQ(v, expected);
  }
}

TEST_P(failing_sort_on, leaves_valid_elements_if_a_move_throws) {
  using element = watched<true>;
  for (const what w : everything)
    for (const std::size_t n : {15u, 200u, 5000u})
      for (int round = 0; round < 5; ++round) {
        auto v = watched_numbers<element>(numbers(n));
        std::identity self;
        auto comp = [](const element& a, const element& b) { return a.number() < b.number(); };
        run([&](const auto& fork) {
          element::fail_at_move(
              1 + static_cast<int>(random().bounded(static_cast<std::uint32_t>(4 * n))));
          try {
            perform(w, fork, v, comp, self);
          } catch (const element::failure&) {
          }
          element::fail_at_move(0);
        });
        ASSERT_EQ(element::live(), static_cast<int>(n));
        v.clear();
        ASSERT_EQ(element::live(), 0);
        ASSERT_EQ(element::errors(), 0);
      }
}

TEST_P(failing_sort_on, keeps_all_elements_if_the_comparator_contradicts_itself) {
  for (const what w : everything)
    for (const std::size_t n : sizes)
      for (int kind = 0; kind < 4; ++kind) {
        // All would take too long.
        if (n > 10'000 && random().bounded(filch::test::size_for_build(4u, 10u)) != 0) continue;
        SCOPED_TRACE(testing::Message() << static_cast<int>(w) << " of " << n << ", " << kind);
        const auto given = numbers(n);
        auto expected = given;
        std::sort(expected.begin(), expected.end());
        std::atomic<std::uint64_t> state = random()();
        const auto answer = [&](std::uint64_t a, std::uint64_t b) {
          std::uint64_t step = state.fetch_add(0x9e3779b97f4a7c15u);
          if (kind == 0) return true;
          if (kind == 1) return filch::detail::splitmix64(step) % 2 == 0;
          if (kind == 2) return a <= b;
          return (a ^ (b << 1)) % 3 == 0;
        };
        std::identity self;
        auto comp = [&](std::uint64_t a, std::uint64_t b) { return answer(a, b); };
        auto plain = given;
        run([&](const auto& fork) { perform(w, fork, plain, comp, self); });
        std::sort(plain.begin(), plain.end());
        ASSERT_EQ(plain, expected);

        auto by_number = [&](const auto& a, const auto& b) {
          return answer(a.number(), b.number());
        };
        auto steady = watched_numbers<watched<false>>(given);
        run([&](const auto& fork) { perform(w, fork, steady, by_number, self); });
        ASSERT_EQ(sorted_numbers_of(steady), expected);
        ASSERT_EQ(watched<false>::errors(), 0);
      }
}

TEST_P(failing_sort_on, keeps_all_elements_if_the_projection_contradicts_itself) {
  for (const what w : everything)
    for (const std::size_t n : {20u, 700u, 5000u, 70'000u}) {
      if (n > 10'000 && w != what::sort && w != what::stable_sort) continue;
      const auto given = numbers(n);
      auto expected = given;
      std::sort(expected.begin(), expected.end());
      std::atomic<std::uint64_t> state = 1;
      auto proj = [&](std::uint64_t) {
        std::uint64_t step = state.fetch_add(0x9e3779b97f4a7c15u);
        return filch::detail::splitmix64(step);
      };
      std::ranges::less less;
      auto v = given;
      run([&](const auto& fork) { perform(w, fork, v, less, proj); });
      std::sort(v.begin(), v.end());
      ASSERT_EQ(v, expected);
    }
}

TEST(failing_sort, works_without_memory) {
  filch::detail::rng random(3);
  const filch::test::any_fork_of<filch::test::sequential_fork> alone;
  const filch::test::any_fork& fork = alone;
  std::identity self;
  for (const std::size_t n : {600u, 35'000u})
    for (const std::size_t from : {1u, 2u, 4u}) {
      const auto given = numbers_in(order::random, n, random);
      auto expected = given;
      std::sort(expected.begin(), expected.end());
      const auto attempt = [&](what w, auto comp, const auto& check) {
        auto v = given;
        {
          const fail_allocation no_memory(from, fail_allocation::for_ever);
          perform(w, fork, v, comp, self);
        }
        check(v);
      };
      const auto sorted = [&](const auto& v) { ASSERT_EQ(v, expected); };
      const auto lambda = [](std::uint64_t a, std::uint64_t b) { return a < b; };
      for (const what w : {what::sort, what::stable_sort}) {
        attempt(w, std::ranges::less(), sorted);
        attempt(w, lambda, sorted);
      }
      attempt(what::nth_element, lambda,
              [&](const auto& v) { ASSERT_EQ(v[n / 3], expected[n / 3]); });
      attempt(what::partial_sort, lambda, [&](const auto& v) {
        ASSERT_TRUE(std::equal(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n / 3),
                               expected.begin()));
      });
    }
}

TEST(failing_sort, by_cached_keys_throws_without_memory_and_has_not_moved_anything) {
  const filch::test::any_fork_of<filch::test::sequential_fork> alone;
  const filch::test::any_fork& fork = alone;
  bool some_failed = false;
  for (const std::size_t from : {1u, 2u, 3u, 4u, 5u}) {
    const std::vector<int> given = {3, 1, 2}, sorted = {1, 2, 3};
    std::vector<int> v = given;
    bool failed = false;
    {
      const fail_allocation no_memory(from, fail_allocation::for_ever);
      try {
        auto key = [](int i) { return i; };
        std::ranges::less less;
        order_with(fork, 0, {}, [&](const auto& f) {
          filch::detail::sort_by_cached_keys(f, v.begin(), v.size(), key, less, 0);
        });
      } catch (const std::bad_alloc&) {
        failed = true;
      }
    }
    EXPECT_EQ(v, failed ? given : sorted);
    some_failed = some_failed || failed;
  }
  EXPECT_TRUE(some_failed);
}

}  // namespace

#include "filch/ranges/reduce.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "filch/algorithm/group_by_key.hpp"
#include "filch/ranges/par_range.hpp"
#include "support/any_fork_policy.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::par_on;

namespace {

std::vector<int> numbers(std::size_t n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 1);
  return v;
}

class range_reduce_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(range_reduce_on);

constexpr auto is_odd = [](int x) { return x % 2 != 0; };

TEST(range_reduce, sums_and_products_of_narrow_integers_are_wide) {
  const std::vector<std::uint8_t> bytes(1000, 1);
  const auto sum = filch::par(bytes).sum();
  static_assert(std::is_same_v<decltype(sum), const unsigned long long>);
  EXPECT_EQ(sum, 1000u);
  const std::vector<std::int16_t> shorts(8, -100);
  const auto product = filch::par(shorts).product();
  static_assert(std::is_same_v<decltype(product), const long long>);
  EXPECT_EQ(product, 10'000'000'000'000'000);
  EXPECT_EQ(filch::par(bytes).sum<std::uint8_t>(), 232u) << "as asked for";
  EXPECT_EQ(filch::par(bytes).reduce(std::uint8_t{0}, std::plus<>()), 232u) << "keeps its type";
  const auto by_key = filch::reduce_by_key(
      bytes, [](int) { return 7; }, std::identity());
  EXPECT_EQ(by_key.at(0).second, 1000u);
}

TEST_P(range_reduce_on, sums_and_counts_what_a_loop_does) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    const std::vector<int> v = numbers(n);
    long odd = 0, all = 0;
    std::size_t odds = 0;
    for (const int x : v) {
      all += x;
      odd += is_odd(x) ? x : 0;
      odds += is_odd(x) ? 1 : 0;
    }
    run([&](const auto& fork) {
      EXPECT_EQ(par_on(fork, v).template sum<long>(), all);
      EXPECT_EQ(par_on(fork, v).filter(is_odd).template sum<long>(), odd);
      EXPECT_EQ(par_on(fork, v).filter(is_odd).count(), odds);
      EXPECT_EQ(par_on(fork, v).count(), n);
      EXPECT_EQ(par_on(fork, v).reduce(7L, std::plus<>()), all + 7) << "the value counts once";
      EXPECT_EQ(par_on(fork, v).filter(is_odd).reduce(7L, std::plus<>()), odd + 7);
    });
  }
}

TEST_P(range_reduce_on, keeps_the_order_of_what_does_not_commute) {
  std::deque<std::string> letters;
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    letters.push_back(std::to_string(i) + ",");
    expected += letters.back();
  }
  const auto join = [](std::string a, const std::string& b) { return std::move(a) += b; };
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, letters).sum(), expected);
    EXPECT_EQ(par_on(fork, letters).reduce(join), expected);
    EXPECT_EQ(par_on(fork, letters).reduce(std::string("> "), join), "> " + expected);
    EXPECT_EQ(par_on(fork, letters).reduce([] { return std::string(); }, join), expected);
    const auto none = [](const std::string&) { return false; };
    EXPECT_EQ(par_on(fork, letters).filter(none).reduce(join), std::nullopt);
    EXPECT_EQ(par_on(fork, letters).filter(none).reduce(std::string("> "), join), "> ");
  });
}

TEST_P(range_reduce_on, an_empty_range_gives_what_is_neutral_or_nothing) {
  const std::vector<double> none;
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, none).sum(), 0.0);
    EXPECT_EQ(par_on(fork, none).product(), 1.0);
    EXPECT_EQ(par_on(fork, none).reduce(std::plus<>()), std::nullopt);
    EXPECT_EQ(par_on(fork, none).reduce(4.0, std::plus<>()), 4.0);
    EXPECT_EQ(par_on(fork, none).reduce([] { return 4.0; }, std::plus<>()), 4.0);
    EXPECT_EQ(par_on(fork, none).count(), 0u);
  });
}

TEST_P(range_reduce_on, knows_the_neutral_number_of_each_operation) {
  std::vector<std::uint32_t> v(5000);
  std::uint32_t ands = ~0u, ors = 0, xors = 0, products = 1;
  for (auto& x : v) {
    x = random().bounded(1u << 31) | 1u;
    if (x % 3 != 0) continue;
    ands &= x;
    ors |= x;
    xors ^= x;
    products *= x;
  }
  const auto third = [](std::uint32_t x) { return x % 3 == 0; };
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, v).filter(third).reduce(~0u, std::bit_and<>()), ands);
    EXPECT_EQ(par_on(fork, v).filter(third).reduce(0u, std::bit_or<>()), ors);
    EXPECT_EQ(par_on(fork, v).filter(third).reduce(0u, std::bit_xor<>()), xors);
    EXPECT_EQ(par_on(fork, v).filter(third).product(), products);
  });
}

TEST_P(range_reduce_on, copies_a_mutable_operation_for_every_leaf) {
  const std::vector<int> v = numbers(5000);
  run([&](const auto& fork) {
    const auto sum = par_on(fork, v).reduce([calls = 0](int a, int b) mutable {
      ++calls;
      return calls > 0 ? a + b : 0;
    });
    EXPECT_EQ(sum, 5000 * 5001 / 2);
  });
}

TEST_P(range_reduce_on, throws_what_the_operation_throws) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    EXPECT_THROW((void)par_on(fork, v).reduce([](int a, int b) -> int {
      if (b == 2000) throw std::runtime_error("bad");
      return a + b;
    }),
                 std::runtime_error);
  });
}

TEST_P(range_reduce_on, calls_a_function_once_for_each_item) {
  for (const std::size_t n : filch::test::sizes(4100)) {
    std::vector<int> v(n, 0);
    run([&](const auto& fork) {
      par_on(fork, v).for_each([](int& x) { ++x; });
      par_on(fork, v).filter([](int x) { return x == 1; }).for_each([](int& x) { ++x; });
    });
    EXPECT_EQ(v, std::vector<int>(n, 2));
  }
}

TEST_P(range_reduce_on, gives_each_state_to_one_leaf_at_a_time) {
  struct state {
    explicit state(std::atomic<int>& made) { ++made; }
    state(const state&) = delete;
    std::atomic<bool> used = false;
  };
  std::vector<int> v(20'000, 0);
  std::atomic<int> made = 0, together = 0;
  run([&](const auto& fork) {
    par_on(fork, v).for_each_init([&] { return state(made); },
                                  [&](state& s, int& x) {
                                    if (s.used.exchange(true)) ++together;
                                    ++x;
                                    s.used = false;
                                  });
  });
  EXPECT_EQ(together, 0);
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 64) << "as many as leaves run at once, not one for each";
  EXPECT_EQ(v, std::vector<int>(20'000, 1));
}

TEST_P(range_reduce_on, throws_what_making_a_state_throws) {
  std::vector<int> v(100, 0);
  run([&](const auto& fork) {
    const auto fail = []() -> int { throw std::runtime_error("no state"); };
    EXPECT_THROW(par_on(fork, v).for_each_init(fail, [](int&, int& x) { ++x; }),
                 std::runtime_error);
  });
  EXPECT_EQ(v, std::vector<int>(100, 0));
}

}  // namespace

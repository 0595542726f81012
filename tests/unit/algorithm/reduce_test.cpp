#include "filch/algorithm/reduce.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/suppressed.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::reduce;
using filch::transform_reduce;

namespace {

class reduce_on : public filch::test::on_any_fork {
 protected:
  template <class T>
  std::vector<T> random_numbers(std::size_t n, std::uint32_t below = 1000) {
    std::vector<T> v(n);
    for (T& x : v) x = static_cast<T>(random().bounded(below));
    return v;
  }
};
FILCH_TEST_ON_EVERY_FORK(reduce_on);

template <class Fork, class I, class T, class Op>
T reduce_with(const Fork& fork, I first, std::size_t n, T init, Op& op, const filch::options& o) {
  std::identity self;
  const filch::detail::mapped_items<I, std::identity> source{first, self};
  return filch::detail::fold_with(fork, source, n, std::move(init), op, o);
}

TEST_P(reduce_on, adds_up_what_accumulate_does) {
  for (const std::size_t n : filch::test::sizes()) {
    const auto v = random_numbers<int>(n);
    run([&](const auto& fork) {
      std::plus<> plus;
      EXPECT_EQ(reduce_with(fork, v.begin(), n, 7, plus, {}),
                std::accumulate(v.begin(), v.end(), 7));
      std::bit_xor<> mix;
      EXPECT_EQ(reduce_with(fork, v.begin(), n, 7L, mix, {}),
                std::accumulate(v.begin(), v.end(), 7L, mix));
      std::multiplies<unsigned> times;
      EXPECT_EQ(reduce_with(fork, v.begin(), n, 1u, times, {.grain = 64}),
                std::accumulate(v.begin(), v.end(), 1u, times));
    });
  }
}

TEST_P(reduce_on, keeps_the_order_of_the_elements) {
  for (const std::size_t n : filch::test::sizes(3000)) {
    std::vector<std::string> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = std::string(1, static_cast<char>('a' + i % 26));
    run([&](const auto& fork) {
      std::plus<> plus;
      for (const bool fixed : {false, true})
        EXPECT_EQ(reduce_with(fork, v.begin(), n, std::string("<"), plus, {.deterministic = fixed}),
                  std::accumulate(v.begin(), v.end(), std::string("<")));
    });
  }
}

/// A number without a default value, which is gone after it is used.
struct token {
  explicit token(int v) : value(std::make_unique<int>(v)) {}
  std::unique_ptr<int> value;
};

TEST_P(reduce_on, results_may_be_move_only_and_have_no_default) {
  for (const std::size_t n : filch::test::sizes(3000)) {
    const std::vector<int> v(n, 2);
    run([&](const auto& fork) {
      auto add = [](token a, token b) { return token(*a.value + *b.value); };
      auto make = [](int x) { return token(x); };
      using source = filch::detail::mapped_items<std::vector<int>::const_iterator, decltype(make)>;
      const token sum =
          filch::detail::fold_with(fork, source{v.begin(), make}, n, token(1), add, {});
      EXPECT_EQ(*sum.value, static_cast<int>(2 * n) + 1);
    });
  }
}

TEST_P(reduce_on, floating_sums_are_close_and_of_whole_numbers_exact) {
  for (const std::size_t n : filch::test::sizes()) {
    const auto v = random_numbers<float>(n);
    run([&](const auto& fork) {
      std::plus<> plus;
      // Whole numbers below 2^53 in all, so every order gives the same.
      EXPECT_EQ(reduce_with(fork, v.begin(), n, 0.5, plus, {}),
                std::accumulate(v.begin(), v.end(), 0.5));
    });
  }
}

TEST_P(reduce_on, deterministic_gives_the_same_bits_on_any_threads) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<double> v(n);
    for (double& x : v) x = 1.0 / (1 + random().bounded(1000));
    std::plus<> plus;
    auto lambda = [](double a, double b) { return a + b; };
    const filch::test::sequential_fork alone;
    const double expected = reduce_with(alone, v.begin(), n, 0.1, plus, {.deterministic = true});
    const double by_lambda = reduce_with(alone, v.begin(), n, 0.1, lambda, {.deterministic = true});
    for (int round = 0; round < 5; ++round)
      run([&](const auto& fork) {
        const std::size_t grain = random().bounded(3000);
        const filch::options o{.grain = grain, .deterministic = true};
        const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
        EXPECT_EQ(bits(reduce_with(fork, v.begin(), n, 0.1, plus, o)), bits(expected));
        EXPECT_EQ(bits(reduce_with(fork, v.begin(), n, 0.1, lambda, o)), bits(by_lambda));
      });
  }
}

TEST_P(reduce_on, throws_what_the_lowest_part_threw_and_stops) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto rarity = 1 + random().bounded(2000);
    const bool fixed = round % 2 == 0;
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    std::mutex mutex;
    std::vector<std::uint32_t> thrown;
    run([&](const auto& fork) {
      auto f = [&](std::uint32_t i) {
        if ((i * 2654435761u) % rarity != 0) return 1u;
        const std::scoped_lock lock(mutex);
        thrown.push_back(i);
        throw i;
      };
      std::plus<> plus;
      using source = filch::detail::mapped_items<std::vector<std::uint32_t>::iterator, decltype(f)>;
      try {
        const auto sum = filch::detail::fold_with(fork, source{v.begin(), f}, n, 0u, plus,
                                                  {.deterministic = fixed});
        EXPECT_TRUE(thrown.empty());
        EXPECT_EQ(sum, n);
      } catch (std::uint32_t i) {
        EXPECT_EQ(i, *std::min_element(thrown.begin(), thrown.end()));
        EXPECT_EQ(filch::suppressed().size(), thrown.size() - 1);
      }
    });
  }
}

TEST_P(reduce_on, a_stop_throws_cancelled_or_comes_too_late) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto when = random().bounded(2 * n);
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    std::stop_source source;
    std::atomic<std::size_t> calls = 0;
    std::optional<std::size_t> sum;
    run([&](const auto& fork) {
      auto f = [&](std::uint32_t i) -> std::size_t {
        ++calls;
        if (i == when) source.request_stop();
        return 1;
      };
      std::plus<> plus;
      using items = filch::detail::mapped_items<std::vector<std::uint32_t>::iterator, decltype(f)>;
      try {
        sum = filch::detail::fold_with(fork, items{v.begin(), f}, n, std::size_t{0}, plus,
                                       {.stop = source.get_token()});
      } catch (const filch::cancelled&) {
      }
    });
    EXPECT_EQ(sum.has_value(), calls == n);
    EXPECT_TRUE(sum ? *sum == n : when < n);
  }
}

TEST(reduce, sums_that_fit_do_not_overflow_on_the_way) {
  const int most = std::numeric_limits<int>::max();
  std::vector<int> v;
  for (int i = 0; i < 5000; ++i) v.insert(v.end(), {most, most, -most, -most});
  EXPECT_EQ(reduce(v, 3), 3);
  const std::vector<std::int16_t> shorts(40'000, 32'767);
  EXPECT_EQ(reduce(shorts, 0L), 40'000L * 32'767);
}

TEST(reduce, takes_ranges_iterators_operations_and_options_or_any_of_them) {
  const std::vector<int> v(100, 2);
  EXPECT_EQ(reduce(v, 0), 200);
  EXPECT_EQ(reduce(v, 0.5), 200.5);
  EXPECT_EQ(reduce(v, 0, {.grain = 3}), 200);
  EXPECT_EQ(reduce(v, 0, {}), 200);
  const filch::options o{.deterministic = true};
  EXPECT_EQ(reduce(v, 0, o), 200);
  EXPECT_EQ(reduce(v, 0, std::plus{}, {.grain = 3}), 200);
  EXPECT_EQ(reduce(v, 0, [](int a, int b) { return a | b; }), 2);
  EXPECT_EQ(reduce(v.begin(), v.begin() + 3, 1, std::multiplies{}), 8);
  EXPECT_EQ(reduce(v.begin(), v.begin() + 3, 1), 7);
  EXPECT_EQ(reduce(v.data(), v.data() + 3, 1, {.grain = 1}), 7);
  EXPECT_EQ(reduce(std::vector<int>{}, 5), 5);
  EXPECT_EQ(reduce(std::span<const int>(v), 0L), 200L);
  const int plain[3] = {1, 2, 3};
  EXPECT_EQ(reduce(plain, 0), 6);
}

TEST(reduce, works_on_deques_and_on_elements_that_are_made_on_the_way) {
  const std::deque<long> d(20'000, 3);
  EXPECT_EQ(reduce(d, 0L), 60'000);
  std::vector<bool> bits(20'000);
  for (std::size_t i = 0; i < bits.size(); i += 3) bits[i] = true;
  EXPECT_EQ(reduce(bits, 0), 6667);
  EXPECT_EQ(reduce(bits, false, std::logical_or{}), true);
}

TEST(reduce, converts_only_what_does_not_change_the_result) {
  // One by one, as std::accumulate does: each sum is truncated.
  const std::vector<double> halves(10, 0.5);
  EXPECT_EQ(reduce(halves, 0, {.grain = 100}), 0);
  const std::vector<int> ints(10, 1);
  EXPECT_EQ(reduce(ints, 0.0, std::plus<int>{}), 10.0);
}

TEST(reduce, runs_on_the_pool_of_the_options_and_as_they_say) {
  filch::pool p(2);
  filch::test::watch(p);
  const std::vector<double> v(100'000, 0.25);
  EXPECT_EQ(reduce(v, 0.0, {.on = &p}), 25'000);
  EXPECT_EQ(reduce(v, 0.0, {.priority = filch::priority::high, .isolate = true}), 25'000);
  std::size_t reported = 0;
  EXPECT_EQ(reduce(v, 0.0,
                   {.deterministic = true,
                    .progress = [&](std::size_t done, std::size_t) { reported = done; }}),
            25'000);
  EXPECT_EQ(reported, v.size());
}

TEST(transform_reduce, is_a_reduction_of_what_the_function_gives) {
  const std::vector<std::string> words = {"a", "bb", "", "ccc"};
  EXPECT_EQ(transform_reduce(words, std::size_t{1}, std::plus{}, &std::string::size), 7u);
  EXPECT_EQ(transform_reduce(words, std::string(), std::plus{},
                             [](const std::string& s) { return s + "."; }, {.grain = 1}),
            "a.bb..ccc.");
  EXPECT_EQ(transform_reduce(words.begin(), words.end(), 0, std::plus{},
                             [](const std::string& s) { return s.empty() ? 1 : 0; }),
            1);
}

TEST(transform_reduce, of_two_ranges_is_the_inner_product) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> a(n);
    std::iota(a.begin(), a.end(), 0);
    const std::vector<long> b(n + 3, 2);
    const long expected = std::inner_product(a.begin(), a.end(), b.begin(), 5L);
    EXPECT_EQ(transform_reduce(a, b, 5L), expected);
    EXPECT_EQ(transform_reduce(b, a, 5L, {.deterministic = true}), expected);
    EXPECT_EQ(transform_reduce(a.begin(), a.end(), b.begin(), 5L), expected);
  }
  const std::vector<double> x = {1, 5, 2};
  const std::deque<double> y = {2, 2, 2};
  const auto larger = [](double p, double q) { return std::max(p, q); };
  EXPECT_EQ(transform_reduce(x, y, 0.0, larger, std::minus{}), 3);
  EXPECT_EQ(
      transform_reduce(x.begin(), x.end(), y.begin(), 0.0, larger, std::minus{}, {.grain = 1}), 3);
}

}  // namespace

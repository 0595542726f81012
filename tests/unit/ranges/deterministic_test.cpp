#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/pool.hpp"
#include "filch/ranges/par_range.hpp"
#include "support/any_fork.hpp"
#include "support/forks.hpp"
#include "support/hang_guard.hpp"

using filch::detail::par_on;

namespace {

const filch::options fixed{.deterministic = true};

/// Of very different size, so that their sum depends on the order.
std::vector<float> uneven(std::size_t n) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = std::ldexp(1.0F + static_cast<float>(i % 97), static_cast<int>(i * 7 % 40) - 20);
  return v;
}
constexpr auto third = [](float x) { return x / 3; };
constexpr auto counts = [](float x) { return std::fmod(x, 3.0F) > 1.0F; };

/// The bits of sums that are made in different ways.
template <class Fork>
std::vector<std::uint32_t> sums(const Fork& fork, const std::vector<float>& v) {
  const auto add = [](float a, float b) { return a + b; };
  const auto zero = [] { return 0.0F; };
  const auto front = [&](float x) {
    return filch::par(v).take(static_cast<std::size_t>(x) % 50 + 1).map(third);
  };
  const std::optional<float> reduced = par_on(fork, v, fixed).filter(counts).reduce(add);
  const float all[] = {
      par_on(fork, v, fixed).sum(),
      par_on(fork, v, fixed).map(third).sum(),
      par_on(fork, v, fixed).map(third).filter(counts).sum(),
      par_on(fork, v, fixed).map(third).filter(counts).reduce(1.0F, add),
      par_on(fork, v, fixed).reduce(zero, add),
      par_on(fork, v, fixed).fold(zero, add).sum(),
      par_on(fork, v, fixed).flat_map(front).sum(),
      reduced.value_or(0.0F),
  };
  std::vector<std::uint32_t> bits;
  for (const float x : all) bits.push_back(std::bit_cast<std::uint32_t>(x));
  for (const float x : par_on(fork, v, fixed).fold(zero, add).to_vector())
    bits.push_back(std::bit_cast<std::uint32_t>(x));
  return bits;
}

class deterministic_range_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(deterministic_range_on);

TEST_P(deterministic_range_on, sums_of_floating_numbers_have_the_same_bits) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 1000u, 5000u}) {
    const std::vector<float> v = uneven(n);
    const auto expected = sums(filch::test::sequential_fork(), v);
    for (int round = 0; round < 5; ++round)
      run([&](const auto& fork) { EXPECT_EQ(sums(fork, v), expected) << n << " items"; });
  }
}

TEST_P(deterministic_range_on, keeps_the_order_and_tells_how_far_it_is) {
  std::vector<int> v(3000);
  std::string expected;
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = static_cast<int>(i);
    expected += std::to_string(i) + ",";
  }
  const auto name = [](int x) { return std::to_string(x) + ","; };
  std::size_t last = 0;
  const filch::options o{.deterministic = true, .progress = [&](std::size_t done, std::size_t all) {
                           EXPECT_EQ(all, v.size());
                           EXPECT_GT(done, last);
                           last = done;
                         }};
  run([&](const auto& fork) {
    last = 0;
    EXPECT_EQ(par_on(fork, v, o).map(name).sum(), expected);
    EXPECT_EQ(last, v.size());
  });
}

TEST_P(deterministic_range_on, throws_what_is_furthest_to_the_left) {
  const std::vector<float> v = uneven(4000);
  const auto fails = [&](const float& x) -> double {
    const auto i = &x - v.data();
    if (i % 1000 == 500) throw std::runtime_error(std::to_string(i));
    return x;
  };
  run([&](const auto& fork) {
    try {
      (void)par_on(fork, v, fixed).map(fails).sum();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_NE(std::string(e.what()).find("500"), std::string::npos);
    }
  });
}

TEST(deterministic_range, any_number_of_workers_gives_the_same_bits) {
  const std::vector<float> v = uneven(100'000);
  const auto sum = [&](filch::pool& pool) {
    const filch::options o{.on = &pool, .deterministic = true};
    const float a = filch::par(v, o).map(third).filter(counts).sum();
    const float b = filch::par(v, o).sum();
    return std::pair(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
  };
  filch::pool one(1);
  filch::test::watch(one);
  const auto expected = sum(one);
  for (std::size_t workers = 2; workers <= 4; ++workers) {
    filch::pool several(workers);
    filch::test::watch(several);
    for (int round = 0; round < 10; ++round) EXPECT_EQ(sum(several), expected);
  }
}

}  // namespace

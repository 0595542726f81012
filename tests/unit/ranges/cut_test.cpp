// Searches that end early: a hit must not be lost with the skipped parts.
#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/par_on.hpp"

using filch::test::par_on;

namespace {

class cut_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(cut_on);

TEST_P(cut_on, a_hit_is_found_wherever_it_is) {
  for (const std::size_t n : {1u, 2u, 33u, 64u, 100u, 300u, 1500u}) {
    std::vector<std::size_t> v(n);
    std::iota(v.begin(), v.end(), 0);
    run([&](const auto& fork) {
      for (std::size_t hit = 0; hit < n; hit += 1 + hit / 16)
        ASSERT_EQ(par_on(fork, v).filter([&](std::size_t x) { return x >= hit; }).find_first(), hit)
            << n;
    });
  }
}

TEST(cut, a_hit_is_found_by_loops_whose_cost_is_known) {
  std::vector<std::size_t> v(200);
  std::iota(v.begin(), v.end(), 0);
  for (std::size_t round = 0; round != 2000; ++round) {
    const std::size_t hit = round % 200;
    ASSERT_EQ(filch::par(v).filter([&](std::size_t x) { return x >= hit; }).find_first(), hit);
  }
}

}  // namespace

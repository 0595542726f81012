// Collecting where the end of a std::vector cannot be set, as with other standard libraries.
#define FILCH_VECTOR_STORAGE 0  // NOLINT(cppcoreguidelines-macro-usage)
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "filch/ranges/par_range.hpp"
#include "support/any_fork_policy.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"
#include "support/tracked.hpp"

using filch::test::par_on;
using filch::test::tracked;

namespace {

class vector_fallback_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(vector_fallback_on);

static_assert(!filch::detail::is_fillable_vector<std::vector<int>>);

TEST_P(vector_fallback_on, makes_the_same_vectors) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 0);
    run([&](const auto& fork) {
      ASSERT_EQ(par_on(fork, v).template to<std::vector>(), v);
      const auto even = [](int x) { return x % 2 == 0; };
      const auto half = par_on(fork, v).filter(even).template to<std::vector>();
      ASSERT_EQ(half.size(), (n + 1) / 2);
      for (std::size_t i = 0; i != half.size(); ++i) ASSERT_EQ(half[i], static_cast<int>(2 * i));
    });
  }
}

TEST_P(vector_fallback_on, destroys_what_it_makes_once) {
  tracked::reset_counts();
  std::vector<int> v(3000);
  std::iota(v.begin(), v.end(), 0);
  run([&](const auto& fork) {
    const auto all =
        par_on(fork, v).map([](int x) { return tracked(x); }).template to<std::vector>();
    ASSERT_EQ(all.size(), 3000u);
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)].number(), i);
    EXPECT_EQ(tracked::live(), 3000);
  });
  EXPECT_EQ(tracked::live(), 0);
  EXPECT_EQ(tracked::wrong_destructions(), 0);
}

}  // namespace

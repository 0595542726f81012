// How sorts and related algorithms treat options, and how second passes treat the grain.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/flatten.hpp"
#include "filch/algorithm/merge.hpp"
#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "filch/algorithm/sort.hpp"
#include "filch/algorithm/stable_sort.hpp"
#include "filch/algorithm/text.hpp"
#include "filch/detail/kernel/bitmask.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"

namespace {

using filch::test::sequential_fork;

std::vector<int> numbers(std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i * 7919 % 40'009);
  return v;
}

class progress_calls {
 public:
  filch::options options() {
    return {.progress = [this](std::size_t done, std::size_t total) {
      ++times_;
      EXPECT_EQ(done, total);
      total_ = total;
    }};
  }
  /// The number of elements, if progress was reported exactly once since the last call.
  std::size_t once() {
    EXPECT_EQ(std::exchange(times_, 0), 1);
    return total_;
  }
  bool never() const { return times_ == 0; }

 private:
  int times_ = 0;
  std::size_t total_ = 0;
};

TEST(progress_of_an_order, is_reported_at_the_end) {
  progress_calls t;
  for (const std::size_t n : {1u, 100u, 50'000u}) {
    auto v = numbers(n), out = numbers(2 * n);
    const auto half = static_cast<std::ptrdiff_t>(n / 2);
    filch::sort(v, t.options());
    EXPECT_EQ(t.once(), n);
    filch::stable_sort(v, t.options());
    EXPECT_EQ(t.once(), n);
    filch::sort_by_key(v, std::negate{}, t.options());
    EXPECT_EQ(t.once(), n);
    filch::sort_by_cached_key(v, std::identity(), t.options());
    EXPECT_EQ(t.once(), n);
    filch::merge(v, v, out.begin(), {}, {}, {}, t.options());
    EXPECT_EQ(t.once(), 2 * n);
    filch::inplace_merge(v, v.begin() + half, {}, {}, t.options());
    EXPECT_EQ(t.once(), n);
    filch::nth_element(v, v.begin() + half, t.options());
    EXPECT_EQ(t.once(), n);
    filch::partial_sort(v, v.begin() + half, t.options());
    EXPECT_EQ(t.once(), n);
    filch::partial_sort_copy(v, out, t.options());
    EXPECT_EQ(t.once(), n);
    (void)filch::top_k(v, 5, {}, {}, t.options());
    EXPECT_EQ(t.once(), n);
  }
  std::vector<int> none;
  filch::sort(none, t.options());
  EXPECT_TRUE(t.never());
}

TEST(grain, of_all_elements_leaves_them_to_the_caller) {
  const std::size_t n = 200'000;
  const filch::options o{.grain = n};
  const sequential_fork fork;
  std::identity self;
  std::ranges::less less;
  auto v = numbers(n);
  filch::detail::order_with(fork, n, o, [&](const auto& f) {
    filch::detail::nth_element_with(f, v.begin(), n / 3, n, less, self, o);
    filch::detail::partial_sort_with(f, v.begin(), n / 3, n, less, self, o);
    filch::detail::sort_range<false>(f, v.begin(), n, less, self, o);
    v = numbers(n);
    filch::detail::sort_range<true>(f, v.begin(), n, less, self, o);
    v = numbers(n);
    auto last_digit = [](int i) { return i % 10; };
    filch::detail::sort_range<true>(f, v.begin(), n, less, last_digit, o);
  });
  EXPECT_EQ(fork.forks(), 0u);
  auto odd = [](int i) { return i % 2 != 0; };
  EXPECT_EQ(filch::detail::pack_with(fork, v.begin(), n, odd, self, o).size(),
            filch::detail::pack_with(fork, v.begin(), n, odd, self, {}).size());
  const sequential_fork quiet;
  filch::detail::pack_with(quiet, v.begin(), n, odd, self, o);
  filch::detail::copy_if_with(quiet, v.begin(), n, v.begin(), odd, self, o);
  const std::vector<std::vector<int>> rows(10, std::vector<int>(n / 10));
  EXPECT_EQ(filch::detail::flatten_with<int>(quiet, rows.begin(), rows.size(), o).size(), n);
  const std::string text(n, 'x');
  EXPECT_EQ(filch::detail::pieces_with(quiet, filch::detail::word_splitter(), text, o).size(), 1u);
  EXPECT_EQ(quiet.forks(), 0u);
}

TEST(grain, may_be_larger_than_any_range) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t grain : {most, most - 1, most - 100, most / 2 + 1, most / 2, most / 4})
    for (const std::size_t n : {2u, 100u, grain == most ? 20'000u : 2'000u}) {
      const filch::options o{.grain = grain};
      std::vector<std::string> words;
      for (std::size_t i = 0; i != n; ++i)
        words.push_back("long enough for the heap: " + std::to_string(i * 7919 % n));
      auto sorted = words;
      std::sort(sorted.begin(), sorted.end());

      const auto check = [&](auto order) {
        auto v = words;
        order(v);
        EXPECT_EQ(v, sorted) << n << ", grain " << grain;
      };
      check([&](auto& v) { filch::sort(v, o); });
      check([&](auto& v) { filch::stable_sort(v, o); });
      check([&](auto& v) { filch::sort_by_key(v, std::identity(), o); });
      check([&](auto& v) { filch::sort_by_cached_key(v, std::identity(), o); });
      check([&](auto& v) { filch::partial_sort(v, v.end(), o); });
      const auto middle = static_cast<std::ptrdiff_t>(n / 2);
      check([&](auto& v) {
        std::sort(v.begin(), v.begin() + middle);
        std::sort(v.begin() + middle, v.end());
        filch::inplace_merge(v, v.begin() + middle, o);
      });
      check([&](auto& v) {
        std::sort(v.begin(), v.begin() + middle);
        std::sort(v.begin() + middle, v.end());
        const std::vector<std::string> both = v;
        filch::merge(both.begin(), both.begin() + middle, both.begin() + middle, both.end(),
                     v.begin(), {}, {}, {}, o);
      });
    }
}

TEST(grain, holds_for_the_second_pass_of_algorithms_that_pick) {
  const filch::test::shuffling_fork fork;
  for (const std::size_t n : {100u, 257u, 5000u, 64'001u, 100'000u})
    for (const std::size_t grain : {1u, 2u, 63u, 64u, 65u, 128u, 1000u, 30'000u}) {
      const filch::detail::bitmask picked(fork, n, 256, grain);
      const std::size_t blocks = picked.blocks().count();
      if (blocks == 1) continue;
      for (std::size_t b = 0; b != blocks; ++b)
        ASSERT_GE(picked.start(b + 1) - picked.start(b), grain) << n;
    }
}

}  // namespace

#include "filch/algorithm/transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/algorithm/copy.hpp"
#include "filch/algorithm/fill.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

namespace {

std::vector<int> numbers(std::size_t n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 1);
  return v;
}

class rewriting_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(rewriting_on);

TEST_P(rewriting_on, transform_writes_what_std_does) {
  for (const std::size_t n : filch::test::sizes(10'000)) {
    const std::vector<int> in = numbers(n);
    auto f = [](long x) { return std::to_string(x); };
    auto proj = [](int x) { return x * 3L; };
    std::vector<std::string> out(n);
    std::deque<std::string> expected(n);
    std::ranges::transform(in, expected.begin(), f, proj);
    run([&](const auto& fork) {
      filch::detail::transform_with(fork, in.begin(), n, out.begin(), f, proj, {});
    });
    EXPECT_TRUE(std::ranges::equal(out, expected));
  }
}

TEST_P(rewriting_on, transform_of_two_ranges_writes_what_std_does) {
  for (const std::size_t n : filch::test::sizes(5000)) {
    const std::vector<int> a = numbers(n);
    const std::deque<int> b(n, 7);
    auto f = [](long x, int y) { return x - y; };
    std::vector<long> out(n);
    std::vector<long> expected(n);
    std::ranges::transform(a, b, expected.begin(), f);
    std::identity self;
    run([&](const auto& fork) {
      filch::detail::transform_with(fork, a.begin(), b.begin(), n, out.begin(), f, self, self, {});
    });
    EXPECT_EQ(out, expected);
  }
}

TEST_P(rewriting_on, fill_generate_and_copy_write_everything_and_nothing_else) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    std::vector<short> numbers_filled(n + 2);
    std::vector<std::string> texts(n + 2);
    std::vector<std::string> copies(n + 2);
    std::deque<short> other(n + 2);
    auto five = [] { return short{5}; };
    run([&](const auto& fork) {
      filch::detail::fill_with(fork, numbers_filled.begin() + 1, n, 3, {});
      filch::detail::fill_with(fork, texts.begin() + 1, n, "x", {});
      filch::detail::copy_with(fork, texts.begin() + 1, n, copies.begin() + 1, {});
      filch::detail::copy_with(fork, numbers_filled.begin() + 1, n, other.begin() + 1, {});
      filch::detail::generate_with(fork, numbers_filled.begin() + 1, n, five, {});
    });
    const auto surrounded = [&](const auto& v, const auto& in, const auto& out) {
      return v.front() == out && v.back() == out &&
             std::count(v.begin() + 1, v.end() - 1, in) == static_cast<std::ptrdiff_t>(n);
    };
    EXPECT_TRUE(surrounded(numbers_filled, 5, 0));
    EXPECT_TRUE(surrounded(other, 3, 0));
    EXPECT_TRUE(surrounded(texts, "x", ""));
    EXPECT_TRUE(surrounded(copies, "x", ""));
  }
}

struct word {
  std::string text;
  std::size_t count = 0;
};

TEST(transform, has_the_shapes_of_std) {
  std::vector<word> words(100, {"ab", 4});
  std::vector<std::size_t> out(100);
  EXPECT_EQ(filch::transform(words, out.begin(), &std::string::size, &word::text).out, out.end());
  EXPECT_EQ(out, std::vector<std::size_t>(100, 2));
  filch::transform(words, out.begin(), [](const word& w) { return w.text.size() + 1; },
                   {.grain = 9});
  EXPECT_EQ(out, std::vector<std::size_t>(100, 3));
  EXPECT_EQ(filch::transform(words.begin(), words.end(), out.begin(), &word::count).in,
            words.end());
  EXPECT_EQ(out, std::vector<std::size_t>(100, 4));
  filch::transform(words.begin(), words.begin() + 1, out.begin(),
                   [](std::size_t c) { return c + 1; }, &word::count, {.grain = 1});
  EXPECT_EQ(out[0], 5u);
  EXPECT_EQ(out[1], 4u);
  // In place, and as long as the shorter one.
  const auto end =
      filch::transform(out, std::vector<std::size_t>(50, 1), out.begin(), std::plus<>());
  EXPECT_EQ(end.in1, out.begin() + 50);
  EXPECT_EQ(out[49], 5u);
  EXPECT_EQ(out[50], 4u);
  filch::transform(words, words, out.begin(), std::plus<>(), &word::count, &word::count);
  EXPECT_EQ(out, std::vector<std::size_t>(100, 8));
  static_assert(std::is_same_v<decltype(end.in2), std::ranges::dangling>);
}

TEST(transform, moves_what_cannot_be_copied) {
  std::vector<int> in = numbers(1000);
  std::vector<std::unique_ptr<int>> out(1000);
  filch::transform(in, out.begin(), [](int n) { return std::make_unique<int>(n); });
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(*out[i], in[i]);
}

TEST(transform, takes_elements_from_where_they_are) {
  std::vector<std::unique_ptr<int>> in(1000), out(1000);
  for (auto& p : in) p = std::make_unique<int>(7);
  filch::transform(in, out.begin(), [](std::unique_ptr<int>& p) { return std::move(p); });
  for (const auto& p : in) EXPECT_EQ(p, nullptr);
  for (const auto& p : out) EXPECT_EQ(*p, 7);
}

TEST(fill, has_the_shapes_of_std) {
  std::vector<int> v(100);
  EXPECT_EQ(filch::fill(v, 1), v.end());
  EXPECT_EQ(filch::fill(v.begin(), v.begin() + 50, 2, {.grain = 4}), v.begin() + 50);
  EXPECT_EQ(filch::fill_n(v.begin(), 10, 3), v.begin() + 10);
  EXPECT_EQ(filch::fill_n(v.begin(), -1, 4), v.begin());
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 30 + 80 + 50);
  EXPECT_EQ(filch::generate(v, [] { return 1; }), v.end());
  EXPECT_EQ(filch::generate(v.begin(), v.begin() + 50, [] { return 2; }), v.begin() + 50);
  EXPECT_EQ(filch::generate_n(v.begin(), 10, [] { return 3; }, {.grain = 2}), v.begin() + 10);
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 30 + 80 + 50);
}

TEST(copy, has_the_shapes_of_std) {
  const std::vector<int> from = numbers(100);
  std::vector<long> to(100);
  EXPECT_EQ(filch::copy(from, to.begin()).out, to.end());
  EXPECT_TRUE(std::ranges::equal(from, to));
  EXPECT_EQ(filch::copy(from.begin() + 10, from.end(), to.begin(), {.grain = 3}).in, from.end());
  EXPECT_EQ(to[0], 11);
  EXPECT_EQ(filch::copy_n(from.begin(), 5, to.begin()).out, to.begin() + 5);
  EXPECT_EQ(to[4], 5);
  EXPECT_EQ(to[5], 16);
}

}  // namespace

#include "filch/algorithm/reverse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/algorithm/flatten.hpp"
#include "filch/algorithm/scatter.hpp"
#include "filch/errors.hpp"
#include "support/any_fork_policy.hpp"
#include "support/sizes.hpp"

using namespace filch::detail;

namespace {

class reverse_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(reverse_on);

std::vector<std::size_t> counting_to(std::size_t n) {
  std::vector<std::size_t> v(n);
  std::iota(v.begin(), v.end(), std::size_t{0});
  return v;
}

TEST_P(reverse_on, turns_round_what_std_turns_round) {
  for (const std::size_t n : filch::test::sizes()) {
    auto v = counting_to(n);
    auto expected = v;
    std::reverse(expected.begin(), expected.end());
    std::vector<std::size_t> copy(n);
    std::deque<std::size_t> d(v.begin(), v.end());
    run([&](const auto& fork) {
      EXPECT_EQ(reverse_copy_with(fork, v.begin(), n, copy.begin(), {}), copy.end());
      reverse_with(fork, v.begin(), n, {});
      reverse_with(fork, d.begin(), n, {});
      swap_ranges_with(fork, v.begin(), d.begin(), n, {});
    });
    EXPECT_EQ(copy, expected);
    EXPECT_EQ(v, expected);
    EXPECT_TRUE(std::equal(d.begin(), d.end(), expected.begin()));
  }
}

TEST_P(reverse_on, rotates_as_std_does) {
  for (const std::size_t n : filch::test::sizes())
    for (int round = 0; round < 3; ++round) {
      const std::size_t middle =
          round == 0 ? n : random().bounded(static_cast<std::uint32_t>(n) + 1);
      auto v = counting_to(n);
      auto expected = v;
      const auto found =
          std::rotate(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(middle),
                      expected.end()) -
          expected.begin();
      run([&](const auto& fork) {
        const auto back = rotate_with(fork, v.begin(), middle, n, {});
        EXPECT_EQ(back.begin() - v.begin(), found);
        EXPECT_EQ(back.end(), v.end());
      });
      ASSERT_EQ(v, expected);
    }
}

TEST_P(reverse_on, gathers_and_scatters) {
  for (const std::size_t n : filch::test::sizes()) {
    auto indices = counting_to(n);
    for (std::size_t i = n; i > 1; --i)
      std::swap(indices[i - 1], indices[random().bounded(static_cast<std::uint32_t>(i))]);
    std::vector<std::string> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = std::to_string(i);
    std::vector<std::string> there(n), back(n);
    run([&](const auto& fork) {
      EXPECT_EQ(scatter_with(fork, in.begin(), indices.begin(), n, there.begin(), {}), in.end());
      EXPECT_EQ(gather_with(fork, there.begin(), indices.begin(), n, back.begin(), {}), back.end());
    });
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(there[indices[i]], in[i]);
    EXPECT_EQ(back, in);
  }
}

TEST_P(reverse_on, flattens_ranges_of_all_sizes) {
  for (const std::size_t n : filch::test::sizes(3000)) {
    std::vector<std::vector<std::size_t>> in(n);
    std::vector<std::vector<std::string>> words(n);
    std::vector<std::size_t> expected;
    std::vector<std::string> expected_words;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t size = random().bounded(4);
      if (i == n / 2) size = 20'000;  // one that is larger than all others
      for (std::size_t k = 0; k < size; ++k) in[i].push_back(expected.size() + k);
      for (std::size_t k = 0; k < size % 4; ++k)
        words[i].push_back(std::to_string(expected.size()));
      expected.insert(expected.end(), in[i].begin(), in[i].end());
      expected_words.insert(expected_words.end(), words[i].begin(), words[i].end());
    }
    std::vector<std::size_t> out(expected.size());
    run([&](const auto& fork) {
      EXPECT_EQ((flatten_with<std::size_t>(fork, in.begin(), n, {})), expected);
      EXPECT_EQ((flatten_with<std::string>(fork, words.begin(), n, {})), expected_words);
      EXPECT_EQ(flatten_with(fork, in.begin(), n, out.begin(), {}), out.end());
    });
    ASSERT_EQ(out, expected);
  }
}

TEST(reverse, of_ranges_and_iterators_with_options) {
  std::vector<std::unique_ptr<int>> v;
  for (int i = 0; i < 4; ++i) v.push_back(std::make_unique<int>(i));
  EXPECT_EQ(filch::reverse(v), v.end());
  EXPECT_EQ(*v[0], 3);
  EXPECT_EQ(filch::reverse(v.begin(), v.end(), {.grain = 1}), v.end());
  const auto back = filch::rotate(v, v.begin() + 1);
  EXPECT_EQ(*back.begin()->get(), 0);
  EXPECT_EQ(filch::rotate(v.begin(), v.begin() + 3, v.end(), {.grain = 1}).begin(), v.begin() + 1);
  EXPECT_EQ(*v[3], 3);
  std::vector<int> a = {1, 2, 3}, b = {4, 5}, c(3);
  const auto ends = filch::swap_ranges(a, b);
  EXPECT_EQ(ends.in1, a.begin() + 2);
  EXPECT_EQ(ends.in2, b.end());
  EXPECT_EQ(a, (std::vector{4, 5, 3}));
  filch::reverse_copy(a, c.begin());
  EXPECT_EQ(c, (std::vector{3, 5, 4}));
}

TEST(rotate, tells_its_progress_also_if_nothing_has_to_move) {
  std::vector<int> v = {1, 2, 3};
  std::vector<std::size_t> reported;
  const filch::options o{
      .progress = [&](std::size_t done, std::size_t) { reported.push_back(done); }};
  filch::rotate(v, v.begin(), o);
  filch::rotate(v, v.end(), o);
  filch::rotate(v, v.begin() + 1, o);
  EXPECT_EQ(reported, (std::vector<std::size_t>{3, 3, 3}));
}

TEST(rotate, that_is_stopped_has_moved_nothing) {
  std::stop_source source;
  source.request_stop();
  std::vector<int> v = {1, 2, 3};
  EXPECT_THROW(filch::rotate(v, v.begin() + 1, {.stop = source.get_token()}), filch::cancelled);
  EXPECT_EQ(v, (std::vector{1, 2, 3}));
}

TEST(flatten, of_strings_and_to_an_iterator) {
  const std::vector<std::string> words = {"ab", "", "c"};
  const auto letters = filch::flatten(words, {.grain = 1});
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "abc");
  std::string out(3, '-');
  EXPECT_EQ(filch::flatten(words, out.begin()), out.end());
  EXPECT_EQ(out, "abc");
  EXPECT_TRUE(filch::flatten(std::vector<std::vector<int>>()).empty());
}

TEST(scatter, stops_with_the_shorter_range) {
  const std::vector<int> values = {7, 8, 9}, indices = {1, 0};
  std::vector<int> out(2);
  EXPECT_EQ(filch::scatter(values, indices, out.begin()), values.begin() + 2);
  EXPECT_EQ(out, (std::vector{8, 7}));
  filch::gather(values, std::vector<char>{2, 2}, out.begin(), {.grain = 1});
  EXPECT_EQ(out, (std::vector{9, 9}));
}

TEST(scatter, and_gather_of_iterators) {
  const std::vector<int> v{1, 2, 2, 5}, indices{3, 0};
  std::vector<int> out(2), there(4);
  EXPECT_EQ(filch::gather(v.begin(), v.end(), indices.begin(), indices.end(), out.begin()),
            out.end());
  EXPECT_EQ(out, (std::vector{5, 1}));
  EXPECT_EQ(filch::scatter(v.begin(), v.end(), indices.begin(), indices.end(), there.begin(),
                           {.grain = 1}),
            v.begin() + 2);
  EXPECT_EQ(there, (std::vector{2, 0, 0, 1}));
}

TEST(flatten, of_iterators) {
  const std::vector<std::string> words = {"ab", "", "c"};
  EXPECT_EQ(filch::flatten(words.begin(), words.end(), {.grain = 1}), (std::vector{'a', 'b', 'c'}));
  std::string out(3, '-');
  EXPECT_EQ(filch::flatten(words.begin() + 1, words.end(), out.begin()), out.begin() + 1);
  EXPECT_EQ(out, "c--");
}

}  // namespace

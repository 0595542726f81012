#include "filch/ranges/views.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "filch/pool.hpp"
#include "filch/this_worker.hpp"

namespace views = filch::views;

namespace {

const std::vector<int> numbers = [] {
  std::vector<int> v(10'000);
  std::iota(v.begin(), v.end(), 0);
  return v;
}();
const auto twice = [](int x) { return 2 * x; };
const auto is_odd = [](int x) { return x % 2 == 1; };

TEST(views, pipes_are_member_calls) {
  EXPECT_EQ((numbers | views::par | views::filter(is_odd) | views::map(twice)).to_vector(),
            filch::par(numbers).filter(is_odd).map(twice).to_vector());
  EXPECT_EQ((numbers | views::par | views::skip(10) | views::take(3) | views::rev()).to_vector(),
            (std::vector<int>{12, 11, 10}));
  EXPECT_EQ((numbers | views::par | views::chunks(100) | views::flatten()).to_vector(), numbers);
}

TEST(views, adaptors_are_put_together_and_used_again) {
  const auto doubled_odd = views::filter(is_odd) | views::map(twice);
  for (int round = 0; round != 2; ++round)
    EXPECT_EQ((numbers | views::par | doubled_odd).sum(), 50'000'000);
}

TEST(views, functions_that_cannot_be_copied_are_moved_through) {
  auto f = [factor = std::make_unique<int>(3)](int x) { return x * *factor; };
  EXPECT_EQ((numbers | views::par | views::map(std::move(f)) | views::take(2)).to_vector(),
            (std::vector<int>{0, 3}));
}

TEST(views, other_ranges_are_borrowed_if_they_have_a_name) {
  const std::vector<int> more{7, 8, 9};
  const auto product = [](const auto& ab) { return ab.first * ab.second; };
  EXPECT_EQ((more | views::par | views::zip(more) | views::map(product)).sum(), 49 + 64 + 81);
  EXPECT_EQ((more | views::par | views::zip(std::vector<int>{1, 0, 2}) | views::map(product)).sum(),
            7 + 18);
  EXPECT_EQ((more | views::par | views::zip(filch::par(more).rev()) | views::map(product)).sum(),
            63 + 64 + 63);
  const auto twice_more = views::chain(more) | views::chain(std::vector<int>{1});
  for (int round = 0; round != 2; ++round)
    EXPECT_EQ((more | views::par | twice_more).to_vector(),
              (std::vector<int>{7, 8, 9, 7, 8, 9, 1}));
  const auto address = [](const int& x) { return &x; };
  EXPECT_EQ((numbers | views::par | views::chain(more) | views::map(address)).find_last(),
            &more.back());
}

TEST(views, a_pipe_ends_in_a_container) {
  const auto doubled = views::map(twice) | views::to<std::vector>();
  EXPECT_EQ(std::vector<int>({1, 2}) | views::par | doubled, (std::vector<int>{2, 4}));
  EXPECT_EQ(
      numbers | views::par | views::take(4) | views::filter(is_odd) | views::to<std::set<long>>(),
      (std::set<long>{1, 3}));
}

TEST(views, a_pipe_says_where_and_how_it_runs) {
  filch::pool two({.threads = 2});
  const auto is_there = [](int) { return filch::this_worker::index().has_value(); };
  EXPECT_TRUE((numbers | views::par | views::on(two) | views::with_grain(1)).all(is_there));
  EXPECT_TRUE((numbers | views::par | views::with({.on = &two})).all(is_there));
}

TEST(views, a_container_is_moved_in) {
  EXPECT_EQ((std::vector<int>{1, 2, 3} | views::par | views::with_grain(1)).sum(), 6);
}

}  // namespace

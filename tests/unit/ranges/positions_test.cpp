#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::numbers;
using filch::test::par_on;

namespace {

/// Checks that an adaptor on 0 to n - 1 gives the same as `expected`.
class positions_on : public filch::test::on_any_fork {
 protected:
  template <class Chain, class Expected>
  void expect_same(Chain chain, Expected expected) {
    for (const std::size_t n : filch::test::sizes(5000)) {
      const std::vector<int> v = numbers(n);
      run([&](const auto& fork) { ASSERT_EQ(chain(par_on(fork, v)), expected(v)) << n; });
    }
  }
};
FILCH_TEST_ON_EVERY_FORK(positions_on);

TEST_P(positions_on, zip_pairs_items_up_to_the_end_of_the_shorter_range) {
  const std::deque<int> other(700, 3);
  expect_same(
      [&](auto r) {
        return std::move(r)
            .zip(other)
            .map([](auto both) { return both.first * both.second; })
            .to_vector();
      },
      [](const std::vector<int>& v) {
        std::vector<int> all;
        for (const int x : v)
          if (x < 700) all.push_back(3 * x);
        return all;
      });
}

TEST_P(positions_on, zip_of_three_gives_tuples_whose_references_can_be_written_to) {
  std::vector<int> a = numbers(3000);
  std::vector<int> b = numbers(3000);
  std::vector<int> c(3000);
  run([&](const auto& fork) {
    par_on(fork, filch::zip(a, b, c)).for_each([](std::tuple<int&, int&, int&> row) {
      std::get<2>(row) = std::get<0>(row) + std::get<1>(row);
    });
  });
  for (std::size_t i = 0; i != c.size(); ++i) ASSERT_EQ(c[i], 2 * a[i]);
}

TEST_P(positions_on, enumerate_numbers_the_items) {
  expect_same(
      [](auto r) {
        return std::move(r)
            .map([](int x) { return 2 * x; })
            .enumerate()
            .map([](auto each) { return each.second - static_cast<int>(each.first); })
            .to_vector();
      },
      [](const std::vector<int>& v) { return v; });
}

TEST_P(positions_on, leaves_that_begin_anywhere_know_their_numbers_and_items) {
  const std::vector<int> other = numbers(5000);
  const auto zipped = [&](auto r) { return std::move(r).skip(3).zip(other).with({.grain = 1}); };
  for (const int parity : {0, 1})
    expect_same(
        [&](auto r) {
          return zipped(std::move(r))
              .map([](auto both) { return both.first * 1000 + both.second; })
              .enumerate()
              .filter([=](auto each) { return static_cast<int>(each.first % 2) == parity; })
              .map([](auto each) { return static_cast<long>(each.first) ^ each.second; })
              .sum();
        },
        [=](const std::vector<int>& v) {
          long sum = 0;
          for (int i = parity; i + 3 < static_cast<int>(v.size()); i += 2)
            sum += i ^ ((i + 3) * 1000 + i);
          return sum;
        });
  expect_same(
      [&](auto r) {
        return zipped(std::move(r))
            .filter([](auto both) { return both.first % 3 == 0; })
            .map([](auto both) { return static_cast<long>(both.first) * both.second; })
            .sum();
      },
      [](const std::vector<int>& v) {
        long sum = 0;
        for (long x = 3; x < static_cast<long>(v.size()); ++x)
          if (x % 3 == 0) sum += x * (x - 3);
        return sum;
      });
}

TEST_P(positions_on, take_skip_step_by_and_rev_choose_positions) {
  expect_same([](auto r) { return std::move(r).skip(3).take(1000).step_by(7).rev().to_vector(); },
              [](const std::vector<int>& v) {
                std::vector<int> all;
                for (std::size_t i = 3; i < std::min<std::size_t>(v.size(), 1003); i += 7)
                  all.push_back(v[i]);
                std::reverse(all.begin(), all.end());
                return all;
              });
}

TEST_P(positions_on, a_deque_is_sliced) {
  const std::vector<int> v = numbers(3000);
  const std::deque<int> d(v.begin(), v.end());
  run([&](const auto& fork) {
    const auto some = par_on(fork, d).skip(1).take(2000).to_vector();
    EXPECT_TRUE(std::equal(some.begin(), some.end(), v.begin() + 1, v.begin() + 2001));
  });
}

TEST_P(positions_on, chunks_are_spans_of_a_vector_and_the_last_has_the_rest) {
  expect_same(
      [](auto r) {
        return std::move(r)
            .chunks(7)
            .map([](std::span<const int> c) { return std::vector<int>(c.begin(), c.end()); })
            .to_vector();
      },
      [](const std::vector<int>& v) {
        std::vector<std::vector<int>> all;
        for (const int x : v) {
          if (x % 7 == 0) all.emplace_back();
          all.back().push_back(x);
        }
        return all;
      });
}

TEST_P(positions_on, chunks_of_what_is_computed_compute_it) {
  expect_same(
      [](auto r) {
        return std::move(r)
            .map([](int x) { return std::to_string(x); })
            .chunks(3)
            .map([](auto c) {
              std::string all;
              for (const std::string& each : c) all += each;
              return all;
            })
            .to_vector();
      },
      [](const std::vector<int>& v) {
        std::vector<std::string> all;
        for (const int x : v) {
          if (x % 3 == 0) all.emplace_back();
          all.back() += std::to_string(x);
        }
        return all;
      });
}

TEST_P(positions_on, chunks_of_an_owned_container_move_its_elements_out) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i != 1001; ++i) v.push_back(std::make_unique<int>(i));
    const auto last_of_each = par_on(fork, std::move(v))
                                  .chunks(10)
                                  .map([](auto c) {
                                    std::unique_ptr<int> last;
                                    for (auto&& each : c) last = std::move(each);
                                    return last;
                                  })
                                  .to_vector();
    ASSERT_EQ(last_of_each.size(), 101u);
    EXPECT_EQ(*last_of_each[5], 59);
    EXPECT_EQ(*last_of_each[100], 1000);
  });
}

TEST_P(positions_on, windows_overlap) {
  expect_same(
      [](auto r) {
        return std::move(r).windows(4).map([](auto w) { return w[0] + w[3]; }).to_vector();
      },
      [](const std::vector<int>& v) {
        std::vector<int> all;
        for (std::size_t i = 3; i < v.size(); ++i) all.push_back(v[i - 3] + v[i]);
        return all;
      });
}

TEST_P(positions_on, chunk_by_keeps_neighbours_together) {
  for (const int length : {1, 3, 64, 100'000})
    expect_same(
        [&](auto r) {
          return std::move(r)
              .chunk_by([&](int a, int b) { return a / length == b / length; })
              .map([](std::span<const int> c) { return std::pair(c.front(), c.size()); })
              .to_vector();
        },
        [&](const std::vector<int>& v) {
          std::vector<std::pair<int, std::size_t>> all;
          for (const int x : v) {
            if (x % length == 0) all.emplace_back(x, 0);
            ++all.back().second;
          }
          return all;
        });
}

TEST_P(positions_on, chain_puts_one_range_behind_the_other) {
  const std::vector<int> tail = {-1, -2, -3};
  const auto with_tail = [&](std::vector<int> v) {
    v.insert(v.end(), tail.begin(), tail.end());
    return v;
  };
  expect_same([&](auto r) { return std::move(r).chain(tail).to_vector(); }, with_tail);
  // With a chain without positions, and with items of another type.
  expect_same(
      [&](auto r) {
        return std::move(r)
            .filter([](int) { return true; })
            .chain(filch::par(tail).map([](int x) { return short(x); }))
            .to_vector();
      },
      with_tail);
  expect_same(
      [&](auto r) {
        return std::move(r).filter([](int x) { return x == 100; }).chain(tail).find_first();
      },
      [](const std::vector<int>& v) { return std::optional(v.size() > 100 ? 100 : -1); });
}

TEST_P(positions_on, a_chain_of_doubles_is_summed_and_parted_as_a_whole) {
  /// Its contents are gone with it.
  struct box {
    explicit box(double x) : inside(x) {}
    box(const box&) = default;
    ~box() { inside = -1e9; }
    double inside;
  };
  std::vector<double> tail(133);
  std::iota(tail.begin(), tail.end(), 5000);
  const auto small = [](double x) { return x < 20; };
  for (const std::size_t n : filch::test::sizes(5000)) {
    std::vector<double> v(n);
    std::iota(v.begin(), v.end(), 0);
    std::vector<double> all = v;
    all.insert(all.end(), tail.begin(), tail.end());
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    const auto middle = std::stable_partition(all.begin(), all.end(), small);
    const std::pair parts(std::vector(all.begin(), middle), std::vector(middle, all.end()));
    run([&](const auto& fork) {
      const auto both = [&] { return par_on(fork, v).chain(tail); };
      ASSERT_EQ(both().sum(), sum);
      ASSERT_EQ(both().map([](double x) { return 2 * x; }).sum(), 2 * sum);
      ASSERT_EQ(both().partition(small), parts);
      ASSERT_EQ(both().map([](double x) { return x; }).partition(small), parts);
      const auto boxed = [](double x) { return box(x); };
      ASSERT_EQ(par_on(fork, v)
                    .map(boxed)
                    .chain(filch::par(tail).map(boxed))
                    .map([](const box& b) -> const double& { return b.inside; })
                    .sum(),
                sum);
    });
  }
}

TEST_P(positions_on, intersperse_puts_an_item_between_any_two) {
  expect_same([](auto r) { return std::move(r).intersperse(-1).to_vector(); },
              [](const std::vector<int>& v) {
                std::vector<int> all;
                for (const int x : v) {
                  if (x != 0) all.push_back(-1);
                  all.push_back(x);
                }
                return all;
              });
}

TEST(positions, zero_is_no_length_and_no_step) {
  const std::vector<int> v(10);
  EXPECT_THROW((void)filch::par(v).chunks(0), filch::usage_error);
  EXPECT_THROW((void)filch::par(v).windows(0), filch::usage_error);
  EXPECT_THROW((void)filch::par(v).step_by(0), filch::usage_error);
}

/// Checks that the exception names the numbers.
template <class F>
void expect_refused(F f, const std::vector<std::size_t>& numbers_named) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const filch::usage_error& e) {
    for (const std::size_t n : numbers_named)
      EXPECT_NE(std::string(e.what()).find(std::to_string(n)), std::string::npos) << e.what();
  }
}

TEST(positions, a_chain_of_more_items_than_can_be_counted_does_not_shrink) {
  const auto most = [] { return filch::par_repeat(1, SIZE_MAX); };
  expect_refused([&] { (void)most().chain(filch::par_repeat(2, 6)).take(10).count(); },
                 {SIZE_MAX, 6});
  expect_refused([&] { (void)(most() | filch::views::chain(filch::par_repeat(2, 6))); },
                 {SIZE_MAX, 6});
  expect_refused([&] { (void)filch::par_once(0).chain(most()); }, {SIZE_MAX, 1});
  EXPECT_EQ(filch::par_repeat(1, SIZE_MAX - 1).chain(filch::par_once(0)).source().size(), SIZE_MAX);
  EXPECT_EQ(most().chain(filch::par_empty<int>()).rev().find_first([](int) { return true; }), 1);
}

TEST(positions, items_between_more_items_than_can_be_counted_do_not_make_fewer) {
  constexpr std::size_t half = SIZE_MAX / 2 + 1;
  EXPECT_EQ(filch::par_repeat(1, half).intersperse(0).source().size(), SIZE_MAX);
  expect_refused([] { (void)filch::par_repeat(1, half + 1).intersperse(0); }, {half + 1});
  expect_refused([] { (void)filch::par_repeat(1, SIZE_MAX).intersperse(0).take(10).count(); },
                 {SIZE_MAX});
}

TEST(positions, adaptors_of_as_many_items_as_can_be_counted_count_no_more) {
  const auto most = [] { return filch::par_indices(std::size_t{0}, SIZE_MAX); };
  EXPECT_EQ(most().chunks(1).source().size(), SIZE_MAX);
  EXPECT_EQ(most().chunks(SIZE_MAX).source().size(), 1u);
  EXPECT_EQ(most().windows(1).source().size(), SIZE_MAX);
  EXPECT_EQ(most().windows(SIZE_MAX).source().size(), 1u);
  EXPECT_EQ(most().step_by(SIZE_MAX).source().size(), 1u);
  EXPECT_EQ(most().skip(SIZE_MAX - 3).take(SIZE_MAX).to_vector(),
            (std::vector{SIZE_MAX - 3, SIZE_MAX - 2, SIZE_MAX - 1}));
  EXPECT_EQ(most().step_by(SIZE_MAX - 1).to_vector(), (std::vector{std::size_t{0}, SIZE_MAX - 1}));
  EXPECT_EQ(most().rev().enumerate().take(2).map([](auto p) { return p.first + p.second; }).sum(),
            2 * (SIZE_MAX - 1));
  EXPECT_EQ(most().rev().skip(SIZE_MAX - 1).to_vector(), std::vector<std::size_t>{0});
}

TEST(positions, a_vector_of_more_items_than_it_can_have_is_refused_by_an_error_that_names_them) {
  const auto most = [] { return filch::par_repeat('a', SIZE_MAX); };
  expect_refused([&] { (void)most().to<std::vector>(); }, {SIZE_MAX});
  expect_refused([&] { (void)most().to<std::string>(); }, {SIZE_MAX});
}

TEST_P(positions_on, windows_and_chunks_by_of_what_is_owned_leave_the_items_where_they_are) {
  const auto joined = [](auto some) {
    std::string all;
    for (auto& each : some) all += each;
    return all + some.front() + some.back() + some[0];
  };
  const auto same_length = [](const std::string& a, const std::string& b) {
    return a.size() == b.size();
  };
  for (const std::size_t n : filch::test::sizes(2000)) {
    std::vector<std::string> v;
    for (std::size_t i = 0; i != n; ++i) v.push_back(std::to_string(i * i));
    run([&](const auto& fork) {
      const auto owned = [&] { return par_on(fork, std::vector(v)); };
      const auto borrowed = [&] { return par_on(fork, v); };
      ASSERT_EQ(owned().windows(3).map(joined).to_vector(),
                borrowed().windows(3).map(joined).to_vector());
      ASSERT_EQ(owned().skip(1).step_by(2).rev().windows(2).map(joined).to_vector(),
                borrowed().skip(1).step_by(2).rev().windows(2).map(joined).to_vector());
      ASSERT_EQ(owned().chunk_by(same_length).map(joined).to_vector(),
                borrowed().chunk_by(same_length).map(joined).to_vector());
    });
  }
}

}  // namespace

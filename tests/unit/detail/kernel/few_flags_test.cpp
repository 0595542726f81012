#include "filch/detail/kernel/few_flags.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/algorithm/copy_if.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"

using filch::detail::few_flags;

namespace {

/// Counts swaps, and is not trivially copyable.
struct swapped {
  swapped() = default;
  explicit swapped(std::size_t n) : number(static_cast<int>(n)) {}
  friend bool operator==(const swapped& a, const swapped& b) { return a.number == b.number; }
  friend void swap(swapped& a, swapped& b) {
    std::swap(a.number, b.number);
    ++swaps;
  }
  int number = 0;
  std::string text = "longer than what fits into the object";
  static inline int swaps = 0;
};

class few_flags_on : public filch::test::on_any_fork {
 protected:
  /// Elements made of numbers. Some of them are selected, from none to all.
  template <class T, class Use>
  void with_some(const Use& use) {
    constexpr std::array limits{0u, 10u, 50u, 90u, 100u};
    for (std::size_t n = 0; n <= filch::detail::most_few; ++n) {
      const bool around_a_word = (n + 1) % 64 <= 2;  // then all of them
      for (std::size_t k = around_a_word ? 0 : n % 5; k < (around_a_word ? 5 : n % 5 + 1); ++k)
        with_some<T>(n, limits[k], use);
    }
  }

 private:
  template <class T, class Use>
  void with_some(std::size_t n, std::uint32_t limit, const Use& use) {
    std::vector<T> all;
    std::vector<bool> selected;
    for (std::size_t i = 0; i != n; ++i) {
      if constexpr (std::is_same_v<T, std::string>)
        all.push_back("number " + std::to_string(i) + ", long enough for the heap");
      else
        all.push_back(static_cast<T>(i));
      selected.push_back(random().bounded(100) < limit);
    }
    run([&](const auto& fork) { use(fork, all, selected); });
  }
};
FILCH_TEST_ON_EVERY_FORK(few_flags_on);

/// The selected elements (or the others), in order.
template <class T>
std::vector<T> those(const std::vector<T>& all, const std::vector<bool>& selected,
                     bool which = true) {
  std::vector<T> found;
  for (std::size_t i = 0; i != all.size(); ++i)
    if (selected[i] == which) found.push_back(all[i]);
  return found;
}

template <class Fork, class I>
few_flags<I> flags_of(const Fork& fork, I first, const std::vector<bool>& selected) {
  return few_flags<I>(fork, first, selected.size(), {}, [&selected, first](const I& i) {
    return static_cast<bool>(selected[static_cast<std::size_t>(i - first)]);
  });
}

constexpr auto copies_and_closes_gaps = [](const auto& fork, const auto& all,
                                           const auto& selected) {
  const auto wanted = those(all, selected);
  auto out = wanted;  // as large as the result
  for (auto& x : out) x = {};
  EXPECT_EQ(flags_of(fork, all.begin(), selected).copy(out.begin()), out.end());
  EXPECT_EQ(out, wanted);

  auto kept = all;
  EXPECT_EQ(flags_of(fork, kept.begin(), selected).close_gaps(), wanted.size());
  kept.resize(wanted.size());
  EXPECT_EQ(kept, wanted);
};

TEST_P(few_flags_on, copy_and_keep_what_is_selected_and_write_nothing_behind_it) {
  with_some<std::uint8_t>(copies_and_closes_gaps);
  with_some<double>(copies_and_closes_gaps);
  with_some<std::string>(copies_and_closes_gaps);
}

TEST_P(few_flags_on, swap_what_is_on_the_wrong_side_and_nothing_else) {
  with_some<swapped>([](const auto& fork, auto all, const auto& selected) {
    const auto yes = those(all, selected);
    const auto wrong = std::count(selected.begin(), selected.begin() + std::ssize(yes), false);
    const auto before = all;
    swapped::swaps = 0;
    EXPECT_EQ(flags_of(fork, all.begin(), selected).swap_sides(), yes.size());
    EXPECT_EQ(swapped::swaps, wrong);
    EXPECT_TRUE(std::is_permutation(all.begin(), all.end(), before.begin()));
    EXPECT_TRUE(std::is_permutation(yes.begin(), yes.end(), all.begin()));
  });
}

constexpr auto divides_and_swaps = [](const auto& fork, const auto& all, const auto& selected) {
  const auto yes = those(all, selected);
  auto expected = yes;
  const auto no = those(all, selected, false);
  expected.insert(expected.end(), no.begin(), no.end());
  auto divided = all;
  EXPECT_EQ(flags_of(fork, divided.begin(), selected).divide(), yes.size());
  EXPECT_EQ(divided, expected);

  auto swapped = all;
  EXPECT_EQ(flags_of(fork, swapped.begin(), selected).swap_sides(), yes.size());
  EXPECT_TRUE(std::is_permutation(yes.begin(), yes.end(), swapped.begin()));
  EXPECT_TRUE(std::is_permutation(no.begin(), no.end(), swapped.begin() + std::ssize(yes)));
};

TEST_P(few_flags_on, divide_numbers_of_every_width) {
  with_some<std::uint8_t>(divides_and_swaps);
  with_some<std::int16_t>(divides_and_swaps);
  with_some<int>(divides_and_swaps);
  with_some<double>(divides_and_swaps);
}

TEST_P(few_flags_on, work_on_elements_that_do_not_lie_side_by_side) {
  with_some<int>([](const auto& fork, const auto& all, const auto& selected) {
    std::deque<int> d(all.begin(), all.end());
    const auto wanted = those(all, selected);
    EXPECT_EQ(flags_of(fork, d.begin(), selected).close_gaps(), wanted.size());
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), d.begin()));
  });
}

TEST(few_flags, copy_nothing_if_the_predicate_throws) {
  for (int round = 0; round != 100; ++round) {  // forked at first, then alone
    std::vector<int> v(100), out(100, -1);
    for (int i = 0; i != 100; ++i) v[static_cast<std::size_t>(i)] = i;
    const auto throws_at_last = [&](int x) {
      if (round % 10 == 9 && x == 99) throw std::runtime_error("no");
      return x % 3 == 0;
    };
    if (round % 10 != 9) {
      EXPECT_EQ(filch::copy_if(v, out.begin(), throws_at_last).out, out.begin() + 34);
    } else {
      EXPECT_THROW(filch::copy_if(v, out.begin(), throws_at_last), std::runtime_error);
      EXPECT_EQ(std::count(out.begin(), out.end(), -1), 100);
    }
  }
}

TEST(few_flags, other_items_are_asked_while_one_takes_long) {
  filch::pool p(2);
  filch::test::watch(p);
  std::vector<int> v(100), out(100);
  for (int i = 0; i != 100; ++i) v[static_cast<std::size_t>(i)] = i;
  std::atomic<int> asked = 0;
  const auto end = p.install([&] {
    return filch::copy_if(v, out.begin(),
                          [&](int x) {
                            if (x == 0) filch::test::until([&] { return asked >= 50; });
                            ++asked;
                            return x % 2 == 0;
                          })
        .out;
  });
  EXPECT_EQ(end - out.begin(), 50);
  EXPECT_EQ(asked, 100);
}

}  // namespace

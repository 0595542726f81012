#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/unique.hpp"
#include "filch/detail/kernel/few_flags.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"

using filch::detail::bitmask;
using filch::detail::most_few;

namespace {

/// A number in `Size` bytes. Its last byte must not be lost either.
template <std::size_t Size>
struct wide {
  wide() = default;
  explicit wide(std::size_t n) {
    bytes.front() = static_cast<unsigned char>(n);
    bytes.back() = static_cast<unsigned char>(255 - n);
  }
  friend bool operator==(const wide&, const wide&) = default;
  std::array<unsigned char, Size> bytes{};
};

template <class T>
inline constexpr bool copied_as_bytes = filch::detail::copies_bytes<T*, T*>;
static_assert(copied_as_bytes<int> && copied_as_bytes<wide<3>> && copied_as_bytes<wide<16>>);
static_assert(!copied_as_bytes<wide<17>> && !copied_as_bytes<wide<24>>);

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> v;
  for (std::size_t i = 0; i != n; ++i) v.push_back(static_cast<T>(i));
  return v;
}

/// Calls f with an empty vector of each type: those around the limit, and those tested four at a
/// time.
template <class F>
void for_each_type(F f) {
  f(std::vector<int>());
  f(std::vector<wide<3>>());
  f(std::vector<wide<16>>());
  f(std::vector<wide<17>>());
}

class few_items_on : public filch::test::on_any_fork {
 protected:
  /// Sizes around the limit of few items, with some selected elements, from none to all.
  template <class T, class Use>
  void with_some(const Use& use) {
    for (std::size_t n = 0; n <= most_few + 3; ++n) {
      const std::uint32_t limit = std::array{0u, 10u, 50u, 90u, 100u}[n % 5];
      std::vector<bool> picked;
      for (std::size_t i = 0; i != n; ++i) picked.push_back(random().bounded(100) < limit);
      run([&](const auto& fork) { use(fork, numbers<T>(n), picked); });
    }
  }
};
FILCH_TEST_ON_EVERY_FORK(few_items_on);

/// Is an element of `v` selected? That depends on its address, so it must be tested in place.
template <class T>
auto by_position(const std::vector<T>& v, const std::vector<bool>& picked) {
  return [&v, &picked](const T& x) {
    const auto i = &x - v.data();
    EXPECT_TRUE(i >= 0 && i < std::ssize(v));
    EXPECT_EQ(x, static_cast<T>(static_cast<std::size_t>(i)));
    return static_cast<bool>(picked[static_cast<std::size_t>(i)]);
  };
}

template <class T>
std::vector<T> those(const std::vector<T>& all, const std::vector<bool>& picked, bool which) {
  std::vector<T> found;
  for (std::size_t i = 0; i != all.size(); ++i)
    if (picked[i] == which) found.push_back(all[i]);
  return found;
}

TEST_P(few_items_on, stable_partition_does_as_std_whatever_the_type) {
  for_each_type([&]<class T>(const std::vector<T>&) {
    with_some<T>([](const auto& fork, auto v, const auto& picked) {
      auto expected = those(v, picked, true);
      const std::size_t border = expected.size();
      const auto back = those(v, picked, false);
      expected.insert(expected.end(), back.begin(), back.end());
      auto pred = by_position(v, picked);
      std::identity self;
      EXPECT_EQ(filch::detail::stable_partition_with(fork, v.begin(), v.size(), pred, self, {}),
                border);
      EXPECT_EQ(v, expected);
    });
  });
}

TEST_P(few_items_on, partition_loses_nothing_whatever_the_type) {
  for_each_type([&]<class T>(const std::vector<T>&) {
    with_some<T>([](const auto& fork, auto v, const auto& picked) {
      const auto yes = those(v, picked, true);
      const auto no = those(v, picked, false);
      auto pred = by_position(v, picked);
      std::identity self;
      const std::size_t border =
          filch::detail::partition_with(fork, v.begin(), v.size(), pred, self, {});
      ASSERT_EQ(border, yes.size());
      EXPECT_TRUE(std::is_permutation(yes.begin(), yes.end(), v.begin()));
      EXPECT_TRUE(std::is_permutation(no.begin(), no.end(), v.begin() + std::ssize(yes)));
    });
  });
}

TEST_P(few_items_on, remove_if_keeps_the_others_in_order_whatever_the_type) {
  for_each_type([&]<class T>(const std::vector<T>&) {
    with_some<T>([](const auto& fork, auto v, const auto& picked) {
      const auto kept = those(v, picked, false);
      auto pred = by_position(v, picked);
      std::identity self;
      const auto rest = filch::detail::remove_if_with(fork, v.begin(), v.size(), pred, self, {});
      v.erase(rest.begin(), rest.end());
      EXPECT_EQ(v, kept);
    });
  });
}

TEST_P(few_items_on, nothing_has_moved_wherever_the_predicate_throws) {
  for (const std::size_t n : {2u, 4u, 5u, 100u, 128u, 129u})
    for (std::size_t bad = 0; bad != n; ++bad)
      run([&](const auto& fork) {
        auto v = numbers<int>(n);
        const auto before = v;
        const auto throws = [&](int x) {
          if (x == static_cast<int>(bad)) throw std::runtime_error("no");
          return x % 3 == 0;
        };
        std::identity self;
        EXPECT_THROW(filch::detail::partition_with(fork, v.begin(), n, throws, self, {}),
                     std::runtime_error);
        EXPECT_EQ(v, before);
        EXPECT_THROW(filch::detail::stable_partition_with(fork, v.begin(), n, throws, self, {}),
                     std::runtime_error);
        EXPECT_EQ(v, before);
        EXPECT_THROW(filch::detail::remove_if_with(fork, v.begin(), n, throws, self, {}),
                     std::runtime_error);
        EXPECT_EQ(v, before);
      });
}

TEST(few_items, nothing_has_moved_if_a_loop_throws_whose_cost_is_known) {
  for (int round = 0; round != 200; ++round) {  // forked at first, then alone
    auto v = numbers<int>(100);
    const auto before = v;
    const auto throws = [&](int x) {
      if (round % 10 == 9 && x == round / 2) throw std::runtime_error("no");
      return x % 3 == 0;
    };
    const auto check = [&](auto f) {
      v = before;
      if (round % 10 != 9) return f();
      EXPECT_THROW(f(), std::runtime_error);
      EXPECT_EQ(v, before);
    };
    check([&] { filch::partition(v, throws); });
    check([&] { filch::stable_partition(v, throws); });
    check([&] { (void)filch::remove_if(v, throws); });
  }
}

TEST(few_items, unique_compares_with_the_neighbour_that_was_there) {
  for (int round = 0; round != 20; ++round)
    for (std::size_t n = 0; n <= most_few + 3; ++n) {
      std::vector<int> v(n);
      for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<int>(i / 3);
      auto expected = v;
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      const auto rest = filch::unique(v);
      v.erase(rest.begin(), rest.end());
      EXPECT_EQ(v, expected);
    }
}

TEST(few_items, a_stop_request_leaves_everything_where_it_was) {
  std::stop_source source;
  source.request_stop();
  for (const std::size_t n : {1u, 2u, 100u}) {
    auto v = numbers<int>(n);
    const auto even = [](int x) { return x % 2 != 0; };
    EXPECT_THROW(filch::stable_partition(v, even, {.stop = source.get_token()}), filch::cancelled);
    EXPECT_THROW((void)filch::remove_if(v, even, {.stop = source.get_token()}), filch::cancelled);
    EXPECT_EQ(v, numbers<int>(n));
  }
}

TEST(few_items, elements_of_a_deque_do_not_lie_side_by_side) {
  for (std::size_t n = 0; n <= most_few + 3; ++n) {
    const auto all = numbers<int>(n);
    std::deque<int> d(all.begin(), all.end());
    std::deque<int> expected = d;
    const auto third = [](int x) { return x % 3 == 0; };
    expected.erase(std::remove_if(expected.begin(), expected.end(), third), expected.end());
    const auto rest = filch::remove_if(d, third);
    d.erase(rest.begin(), rest.end());
    EXPECT_EQ(d, expected);
  }
}

TEST(few_items, other_items_are_asked_while_one_takes_long) {
  filch::pool p(2);
  filch::test::watch(p);
  auto v = numbers<int>(100);
  std::atomic<int> asked = 0;
  const auto back = p.install([&] {
    return filch::stable_partition(v, [&](int x) {
      if (x == 0) filch::test::until([&] { return asked >= 50; });
      ++asked;
      return x % 2 == 0;
    });
  });
  EXPECT_EQ(back.begin() - v.begin(), 50);
  EXPECT_EQ(asked, 100);
  EXPECT_TRUE(std::is_sorted(v.begin(), v.begin() + 50));
  EXPECT_TRUE(std::is_sorted(v.begin() + 50, v.end()));
}

}  // namespace

// What rearranging algorithms do without memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <new>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/flatten.hpp"
#include "filch/algorithm/group_by_key.hpp"
#include "filch/algorithm/histogram.hpp"
#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/set_operations.hpp"
#include "filch/algorithm/text.hpp"
#include "filch/algorithm/unique.hpp"
#include "filch/errors.hpp"
#include "support/allocations.hpp"
#include "support/fork_policies.hpp"

using namespace filch::detail;
using filch::test::fail_allocation;

namespace {

constexpr std::size_t n = 50'000;
/// The number of the first allocation that fails. All later ones of that thread fail too.
constexpr std::size_t most_allocations = 6;

std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> v(n);
  std::iota(v.begin(), v.end(), 0u);
  return v;
}

class without_memory : public testing::Test {
 protected:
  /// Calls f(k) for each number k of the first allocation that fails.
  template <class F>
  void each_time(F f) {
    for (std::size_t k = 1; k <= most_allocations; ++k) f(k);
  }
  filch::test::sequential_fork fork;
  std::identity self;
  std::function<bool(std::uint32_t)> third = [](std::uint32_t x) { return x % 3 == 0; };
};

TEST_F(without_memory, what_needs_none_does_its_work_all_the_same) {
  const auto in = numbers();
  auto divided = in;
  std::stable_partition(divided.begin(), divided.end(), third);
  std::vector<std::uint32_t> picked;
  std::copy_if(in.begin(), in.end(), std::back_inserter(picked), third);
  each_time([&](std::size_t k) {
    auto stable = in, plain = in, removed = in;
    std::vector<std::uint32_t> out(picked.size()), both(n);
    {
      const fail_allocation fail(k, fail_allocation::for_ever);
      EXPECT_EQ(stable_partition_with(fork, stable.begin(), n, third, self, {}), picked.size());
    }
    {
      const fail_allocation fail(k, fail_allocation::for_ever);
      EXPECT_EQ(partition_with(fork, plain.begin(), n, third, self, {}), picked.size());
    }
    {
      const fail_allocation fail(k, fail_allocation::for_ever);
      const auto rest = remove_if_with(fork, removed.begin(), n, third, self, {});
      EXPECT_EQ(rest.size(), picked.size());
    }
    {
      const fail_allocation fail(k, fail_allocation::for_ever);
      EXPECT_EQ(copy_if_with(fork, in.begin(), n, out.begin(), third, self, {}), out.end());
    }
    {
      std::less<> less;
      const auto p = sorted_pair_of(in.begin(), n, picked.begin(), picked.size(), less, self, self);
      const fail_allocation fail(k, fail_allocation::for_ever);
      EXPECT_EQ(set_operation_with<union_operation>(fork, p, both.begin(), {}), both.end());
    }
    EXPECT_EQ(stable, divided);
    EXPECT_EQ(out, picked);
    EXPECT_EQ(both, in);
    EXPECT_TRUE(std::is_partitioned(plain.begin(), plain.end(), third));
    std::sort(plain.begin(), plain.end());
    EXPECT_EQ(plain, in);
    EXPECT_TRUE(std::equal(divided.begin() + static_cast<std::ptrdiff_t>(picked.size()),
                           divided.end(), removed.begin()));
  });
}

/// Enough elements that they are copied in blocks.
TEST_F(without_memory, what_no_cache_holds_is_copied_by_the_caller) {
  using large = std::array<std::uint32_t, 8>;
  const std::vector<large> in(16 * 64 * 64, large{1, 2, 3});
  auto all = [](const large&) { return true; };
  each_time([&](std::size_t k) {
    std::vector<large> out(in.size());
    {
      const fail_allocation fail(k, fail_allocation::for_ever);
      EXPECT_EQ(copy_if_with(fork, in.begin(), in.size(), out.begin(), all, self, {}), out.end());
    }
    EXPECT_TRUE(out == in);
  });
}

/// Strings change when they are moved from.
std::vector<std::string> words_in_pairs() {
  std::vector<std::string> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = "too long to be small, number " + std::to_string(i / 2);
  return all;
}

TEST_F(without_memory, equal_neighbours_are_found_among_elements_that_have_moved) {
  const auto in = words_in_pairs();
  std::ranges::equal_to equal;
  auto expected = in;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  each_time([&](std::size_t k) {
    auto v = in;
    {
      const fail_allocation fail(k, fail_allocation::for_ever);
      EXPECT_EQ(unique_with(fork, v.begin(), n, equal, self, {}).begin() - v.begin(), n / 2);
    }
    v.resize(n / 2);
    EXPECT_TRUE(v == expected);
  });
}

TEST_F(without_memory, a_predicate_that_throws_leaves_all_elements) {
  const auto in = words_in_pairs();
  std::size_t calls = 0;
  auto pred = [&calls](const std::string& s) {
    if (++calls == n / 2) throw s.size();
    return s.back() < '5';
  };
  auto sorted = in;
  std::sort(sorted.begin(), sorted.end());
  const auto keeps_all = [&](auto&& call) {
    auto v = in;
    calls = 0;
    {
      const fail_allocation fail(1, fail_allocation::for_ever);
      EXPECT_THROW(call(v), std::size_t);
    }
    std::sort(v.begin(), v.end());
    EXPECT_TRUE(v == sorted);
  };
  keeps_all([&](auto& v) { partition_with(fork, v.begin(), n, pred, self, {}); });
  keeps_all([&](auto& v) { stable_partition_with(fork, v.begin(), n, pred, self, {}); });
  keeps_all([&](auto& v) { remove_if_with(fork, v.begin(), n, pred, self, {}); });
  auto equal = [&](const std::string& a, const std::string& b) { return pred(a) && a == b; };
  keeps_all([&](auto& v) { unique_with(fork, v.begin(), n, equal, self, {}); });
}

TEST_F(without_memory, reports_progress_and_may_be_stopped) {
  std::stop_source source;
  std::size_t reported = 0;
  filch::options o{.stop = source.get_token()};
  o.progress = [&reported](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, n);
    reported = done;
  };
  auto v = numbers(), out = v;
  const auto tells = [&](auto&& call) {
    reported = 0;
    {
      const fail_allocation fail(1, fail_allocation::for_ever);
      call();
    }
    EXPECT_EQ(reported, n);
  };
  std::ranges::equal_to equal;
  tells([&] { copy_if_with(fork, v.begin(), n, out.begin(), third, self, o); });
  tells([&] { partition_with(fork, v.begin(), n, third, self, o); });
  tells([&] { stable_partition_with(fork, v.begin(), n, third, self, o); });
  tells([&] { unique_with(fork, v.begin(), n, equal, self, o); });
  tells([&] { remove_if_with(fork, v.begin(), n, third, self, o); });
  source.request_stop();
  const auto before = v;
  EXPECT_THROW(remove_if_with(fork, v.begin(), n, third, self, o), filch::cancelled);
  EXPECT_TRUE(v == before);
}

TEST_F(without_memory, what_makes_a_vector_throws_and_leaks_nothing) {
  const auto in = numbers();
  const std::vector<std::vector<std::string>> nested(100, std::vector<std::string>(100, "word"));
  const std::string text = [] {
    std::string t;
    for (int i = 0; i < 5000; ++i) t += std::to_string(i) + " ";
    return t;
  }();
  auto key = [](std::uint32_t x) { return x % 1000; };
  const auto before = filch::test::allocations().live_blocks;
  each_time([&](std::size_t k) {
    const auto fails = [&](auto&& f) {
      const fail_allocation fail(k, fail_allocation::for_ever);
      try {
        f();
        EXPECT_EQ(fail.seen(), 0u);
      } catch (const std::bad_alloc&) {
        EXPECT_GT(fail.seen(), 0u);
      }
    };
    fails([&] { pack_with(fork, in.begin(), n, third, self, {}); });
    fails([&] { flatten_with<std::string>(fork, nested.begin(), nested.size(), {}); });
    fails([&] { histogram_with(fork, in.begin(), n, n, self, {}); });
    fails([&] { histogram_with(fork, in.begin(), n, 1000, key, {}); });
    fails([&] { group_by_key_with(fork, in.begin(), n, key, self, {}); });
    fails([&] { count_words_with(fork, text, {}); });
    fails([&] { pieces_with(fork, word_splitter(), text, {}); });
  });
  EXPECT_EQ(filch::test::allocations().live_blocks, before);
}

}  // namespace

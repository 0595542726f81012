#include "filch/detail/kernel/copy_in_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/unique.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"

namespace {

using filch::detail::copy_if_with;

/// So large that blocks have their smallest number of items.
struct item {
  std::uint32_t value = 0;
  std::array<std::uint32_t, 7> more = {};
  bool operator==(const item&) const = default;
};
/// This many of them, or of strings, are copied in blocks.
constexpr std::size_t many_items = 16 * 64 * 64;

std::vector<item> numbered(std::size_t n) {
  std::vector<item> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i].value = static_cast<std::uint32_t>(i);
  return all;
}

class copy_in_blocks_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(copy_in_blocks_on);

TEST_P(copy_in_blocks_on, copies_what_std_copies) {
  for (int round = 0; round < 4; ++round) {
    const std::size_t n = 8 * many_items + random().bounded(100'000);
    const std::uint32_t limit = std::array{0u, 30u, 500u, 1000u}[static_cast<std::size_t>(round)];
    std::vector<std::uint32_t> in(n), expected;
    for (auto& x : in) x = random().bounded(1000);
    const auto small = [&](std::uint32_t x) { return x < limit; };
    std::ranges::copy_if(in, std::back_inserter(expected), small);
    std::vector<std::uint32_t> out(expected.size() + 1, 12345);
    std::atomic<std::size_t> calls = 0;
    run([&](const auto& fork) {
      auto counted = [&](std::uint32_t x) {
        ++calls;
        return small(x);
      };
      std::identity self;
      const auto end = copy_if_with(fork, in.begin(), n, out.begin(), counted, self, {});
      EXPECT_EQ(end - out.begin(), static_cast<std::ptrdiff_t>(expected.size()));
    });
    EXPECT_EQ(calls, n);
    EXPECT_EQ(out.back(), 12345u) << "written behind the end";
    out.pop_back();
    ASSERT_TRUE(out == expected) << n << " items below " << limit;
  }
}

TEST_P(copy_in_blocks_on, walks_deques_and_copies_strings) {
  std::deque<std::string> in(many_items + 100);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::to_string(i / 3);
  std::deque<std::string> out(in.size()), expected(in.size());
  expected.erase(std::unique_copy(in.begin(), in.end(), expected.begin()), expected.end());
  run([&](const auto& fork) {
    std::ranges::equal_to same;
    std::identity self;
    out.erase(
        filch::detail::unique_copy_with(fork, in.begin(), in.size(), out.begin(), same, self, {}),
        out.end());
  });
  EXPECT_TRUE(out == expected);
}

/// What has been copied by then is at its position, and the other elements are unchanged.
TEST_P(copy_in_blocks_on, an_error_is_the_first_one_and_leaves_no_copy_at_a_wrong_position) {
  for (int round = 0; round < 4; ++round) {
    const std::size_t n = many_items + random().bounded(5000);
    const auto in = numbered(n);
    const auto before = std::vector<item>(n, item{7, {7}});
    auto out = before;
    const auto bad = random().bounded(static_cast<std::uint32_t>(n));
    run([&](const auto& fork) {
      auto pred = [&](const item& x) {
        if (x.value == bad) throw std::runtime_error(std::to_string(bad));
        return true;
      };
      std::identity self;
      try {
        copy_if_with(fork, in.begin(), n, out.begin(), pred, self, {});
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), std::to_string(bad));
      }
    });
    for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(out[i] == in[i] || out[i] == before[i]) << i;
    EXPECT_TRUE(std::equal(out.begin() + bad, out.end(), before.begin() + bad));
  }
}

TEST_P(copy_in_blocks_on, a_stop_ends_it_or_comes_too_late) {
  for (int round = 0; round < 4; ++round) {
    const std::size_t n = many_items + random().bounded(5000);
    const auto in = numbered(n);
    auto out = std::vector<item>(n);
    std::stop_source source;
    const auto when = random().bounded(static_cast<std::uint32_t>(n));
    bool stopped = false;
    run([&](const auto& fork) {
      auto pred = [&](const item& x) {
        if (x.value == when) source.request_stop();
        return true;
      };
      std::identity self;
      try {
        copy_if_with(fork, in.begin(), n, out.begin(), pred, self, {.stop = source.get_token()});
      } catch (const filch::cancelled&) {
        stopped = true;
      }
    });
    EXPECT_TRUE(stopped || out == in);
    const bool in_order = GetParam() == filch::test::fork_kind::sequential;
    EXPECT_TRUE(stopped || when >= n / 2 || !in_order);
  }
}

TEST_P(copy_in_blocks_on, an_error_comes_before_a_stop) {
  const auto in = numbered(2 * many_items);
  for (int round = 0; round < 10; ++round) {
    auto out = std::vector<item>(in.size());
    std::stop_source source;
    const auto when = random().bounded(static_cast<std::uint32_t>(in.size()));
    run([&](const auto& fork) {
      auto pred = [&](const item& x) {
        if (x.value != when) return true;
        source.request_stop();
        throw std::runtime_error("bad");
      };
      std::identity self;
      EXPECT_THROW(copy_if_with(fork, in.begin(), in.size(), out.begin(), pred, self,
                                {.stop = source.get_token()}),
                   std::runtime_error);
    });
  }
}

/// No later block notices a stop request in the last block.
TEST_P(copy_in_blocks_on, a_stop_in_the_last_block_leaves_the_rest_of_it) {
  const auto in = numbered(many_items);
  auto out = std::vector<item>(in.size());
  std::stop_source source;
  std::atomic<std::size_t> asked = 0;
  bool stopped = false;
  run([&](const auto& fork) {
    auto pred = [&](const item& x) {
      ++asked;
      if (x.value == in.size() - 1000) source.request_stop();
      return true;
    };
    std::identity self;
    try {
      copy_if_with(fork, in.begin(), in.size(), out.begin(), pred, self,
                   {.stop = source.get_token()});
    } catch (const filch::cancelled&) {
      stopped = true;
    }
  });
  // A thread that still copies may notice the request after the last item was asked about.
  EXPECT_TRUE(stopped || asked == in.size());
  EXPECT_TRUE(stopped || out == in);
}

TEST_P(copy_in_blocks_on, tells_its_progress_in_items_and_keeps_to_the_grain) {
  const std::size_t n = many_items + 77;
  const auto in = numbered(n);
  for (const std::size_t grain : {std::size_t{0}, std::size_t{20'000}, n, n * n}) {
    std::vector<item> out(n);
    std::size_t last = 0;
    run([&](const auto& fork) {
      auto pred = [](const item&) { return true; };
      std::identity self;
      const auto progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, n);
        EXPECT_LT(last, done);
        last = done;
      };
      copy_if_with(fork, in.begin(), n, out.begin(), pred, self,
                   {.grain = grain, .progress = progress});
    });
    EXPECT_EQ(last, n);
    EXPECT_TRUE(out == in);
  }
}

/// Neither a block nor a part of its test is smaller than a grain.
TEST(copy_in_blocks, fork_nothing_if_all_is_one_grain) {
  const auto in = numbered(many_items);
  auto out = std::vector<item>(in.size());
  const filch::test::sequential_fork fork;
  auto pred = [&](const item&) {
    fork.advance(1'000'000);  // worth a fork each
    return true;
  };
  std::identity self;
  copy_if_with(fork, in.begin(), in.size(), out.begin(), pred, self, {.grain = in.size()});
  EXPECT_EQ(fork.forks(), 0u);
  copy_if_with(fork, in.begin(), in.size(), out.begin(), pred, self, {.grain = in.size() / 4});
  EXPECT_EQ(fork.forks(), 0u) << "a quarter is not divided, and one worker takes all of them";
  copy_if_with(fork, in.begin(), in.size(), out.begin(), pred, self, {});
  EXPECT_GT(fork.forks(), 0u);
}

/// An item of the first block waits for a later item of the same block to be tested. Only a thread
/// without a block of its own can do that.
TEST(copy_in_blocks, who_has_no_block_left_helps_with_another) {
  filch::pool p(2);
  filch::test::watch(p);
  const auto in = numbered(many_items);
  std::vector<item> out(in.size());
  std::atomic<bool> asked = false;
  const auto pred = [&](const item& x) {
    if (x.value == 64 * 63) asked = true;
    if (x.value == 0) filch::test::until([&] { return asked.load(); });
    return x.value % 2 == 0;
  };
  p.install([&] { filch::copy_if(in, out.begin(), pred); });
  for (std::size_t i = 0; i < in.size() / 2; ++i) ASSERT_EQ(out[i].value, 2 * i);
}

}  // namespace

#include "filch/algorithm/copy_if.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::copy_if_with;
using filch::detail::pack_with;

namespace {

/// Not all large ones: the second pass is divided from about 16'000 on.
std::vector<std::size_t> some_sizes() {
  auto all = filch::test::sizes(4100);
  all.insert(all.end(), {20'001, 70'000});
  return all;
}

class copy_if_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(copy_if_on);

/// Numbers below 1000.
std::vector<std::uint32_t> numbers(filch::detail::rng& random, std::size_t n) {
  std::vector<std::uint32_t> all(n);
  for (auto& x : all) x = random.bounded(1000);
  return all;
}

TEST_P(copy_if_on, copies_what_std_copies) {
  for (const std::size_t n : some_sizes())
    for (const std::uint32_t limit : {0u, 3u, 500u, 997u, 1000u}) {
      const auto in = numbers(random(), n);
      const auto pred = [&](std::uint32_t x) { return x < limit; };
      std::vector<std::uint32_t> expected;
      std::ranges::copy_if(in, std::back_inserter(expected), pred);
      std::vector<std::uint32_t> out(expected.size() + 1, 12345);
      std::vector<std::uint32_t> packed;
      std::atomic<std::size_t> calls = 0;
      run([&](const auto& fork) {
        auto counted = [&](std::uint32_t x) {
          ++calls;
          return pred(x);
        };
        std::identity self;
        const auto end = copy_if_with(fork, in.begin(), n, out.begin(), counted, self, {});
        EXPECT_EQ(end - out.begin(), static_cast<std::ptrdiff_t>(expected.size()));
        packed = pack_with(fork, in.begin(), n, pred, self, {});
      });
      EXPECT_EQ(calls, n);
      EXPECT_EQ(packed, expected);
      EXPECT_EQ(out.back(), 12345u) << "written behind the end";
      out.pop_back();
      ASSERT_EQ(out, expected) << n << " items below " << limit;
    }
}

TEST_P(copy_if_on, walks_deques_and_copies_strings) {
  std::deque<std::string> in;
  for (int i = 0; i < 20'000; ++i)
    in.push_back("a string too long to be small " + std::to_string(i));
  auto pred = [](char last) { return last == '3'; };
  auto last_letter = [](const std::string& s) { return s.back(); };
  std::vector<std::string> packed;
  std::deque<std::string> out(2000);
  run([&](const auto& fork) {
    packed = pack_with(fork, in.begin(), in.size(), pred, last_letter, {});
    const auto end = copy_if_with(fork, in.begin(), in.size(), out.begin(), pred, last_letter, {});
    EXPECT_EQ(end, out.end());
  });
  ASSERT_EQ(packed.size(), 2000u);
  EXPECT_TRUE(std::ranges::equal(packed, out));
  for (std::size_t i = 0; i < packed.size(); ++i) EXPECT_EQ(packed[i], in[10 * i + 3]);
}

/// Some elements may have been copied, each to its position.
void expect_positions(const std::vector<std::uint32_t>& out, std::uint32_t before) {
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_TRUE(out[i] == before || out[i] == i) << i;
}

TEST_P(copy_if_on, if_the_predicate_throws_no_copy_is_at_a_wrong_position) {
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 1 + random().bounded(20'000);
    const auto bad = random().bounded(static_cast<std::uint32_t>(n));
    std::vector<std::uint32_t> in(n), out(n, 7);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i);
    run([&](const auto& fork) {
      auto pred = [&](std::uint32_t x) {
        if (x == bad) throw std::runtime_error("bad");
        return true;
      };
      std::identity self;
      EXPECT_THROW(copy_if_with(fork, in.begin(), n, out.begin(), pred, self, {}),
                   std::runtime_error);
    });
    expect_positions(out, 7);
  }
}

TEST_P(copy_if_on, a_stop_ends_it_or_comes_too_late) {
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 1 + random().bounded(20'000);
    const auto when = random().bounded(static_cast<std::uint32_t>(2 * n));
    std::vector<std::uint32_t> in(n), out(n, 7);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i);
    std::stop_source source;
    bool stopped = false;
    run([&](const auto& fork) {
      auto pred = [&](std::uint32_t x) {
        if (x == when) source.request_stop();
        return true;
      };
      std::identity self;
      try {
        copy_if_with(fork, in.begin(), n, out.begin(), pred, self, {.stop = source.get_token()});
      } catch (const filch::cancelled&) {
        stopped = true;
      }
    });
    expect_positions(out, 7);
    EXPECT_TRUE(stopped || out == in);
  }
}

TEST_P(copy_if_on, tells_its_progress_in_items) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    const auto in = numbers(random(), n);
    std::vector<std::uint32_t> out(n);
    std::size_t last = 0;
    run([&](const auto& fork) {
      auto pred = [](std::uint32_t) { return true; };
      std::identity self;
      const auto progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, n);
        EXPECT_LT(last, done);
        last = done;
      };
      copy_if_with(fork, in.begin(), n, out.begin(), pred, self, {.progress = progress});
    });
    EXPECT_EQ(last, n);
  }
}

TEST(copy_if, takes_a_projection_options_sentinels_and_views) {
  const std::vector<std::string> in = {"a", "bb", "ccc", "dd"};
  std::vector<std::string> out(4);
  const auto two = [](std::size_t n) { return n == 2; };
  auto result = filch::copy_if(in, out.begin(), two, &std::string::size);
  EXPECT_EQ(result.in, in.end());
  EXPECT_EQ(result.out, out.begin() + 2);
  EXPECT_EQ(out[1], "dd");
  filch::copy_if(in, out.begin(), two, &std::string::size, {.grain = 2});
  filch::copy_if(in, out.begin(), [](const std::string& s) { return s != "bb"; }, {.grain = 2});
  EXPECT_EQ(out[2], "dd");
  EXPECT_EQ(filch::copy_if(in.begin(), in.end(), out.begin(), two, &std::string::size).in,
            in.end());
  std::string letters(5, '-');
  filch::copy_if(std::string_view("hello"), letters.begin(), [](char c) { return c != 'l'; });
  EXPECT_EQ(letters, "heo--");
  EXPECT_EQ(filch::pack(std::span(in), two, &std::string::size),
            (std::vector<std::string>{"bb", "dd"}));
  EXPECT_TRUE(filch::pack(in, [](const std::string&) { return false; }).empty());
}

/// Each of few items may be expensive, so none waits for another.
TEST(copy_if, of_two_elements_both_are_asked_at_once) {
  filch::pool p(2);
  filch::test::watch(p);
  std::vector<int> in = {1, 2};
  std::vector<int> out(2);
  std::atomic<int> asked = 0;
  const auto meet = [&](int x) {
    ++asked;
    filch::test::until([&] { return asked == 2; });
    return x == 2;
  };
  const auto end = p.install([&] { return filch::copy_if(in, out.begin(), meet).out; });
  EXPECT_EQ(end, out.begin() + 1);
  EXPECT_EQ(out[0], 2);
}

/// Neither default constructible nor trivial.
struct name {
  explicit name(std::string s) : text(std::move(s)) {}
  std::string text;
};

TEST(copy_if, packs_elements_without_a_default_constructor) {
  std::vector<name> in;
  for (int i = 0; i < 5000; ++i) in.emplace_back(std::to_string(i));
  const auto even = filch::pack(in, [](const name& n) { return (n.text.back() - '0') % 2 == 0; });
  ASSERT_EQ(even.size(), 2500u);
  for (std::size_t i = 0; i < even.size(); ++i) EXPECT_EQ(even[i].text, std::to_string(2 * i));
}

TEST(copy_if, packs_elements_that_cannot_be_assigned) {
  struct numbered {
    const int id;
  };
  std::vector<numbered> in;
  for (int i = 0; i < 5000; ++i) in.push_back({i});
  const auto is_even = [](const numbered& n) { return n.id % 2 == 0; };
  const auto even = filch::pack(in, is_even, {.grain = 100});
  ASSERT_EQ(even.size(), 2500u);
  for (std::size_t i = 0; i < even.size(); ++i) EXPECT_EQ(even[i].id, static_cast<int>(2 * i));
}

}  // namespace

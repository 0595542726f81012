#include "filch/when.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/suppressed.hpp"
#include "support/complaint.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::nothing;
using filch::pool;
using filch::usage_error;
using filch::when_all;
using filch::when_any;
using filch::test::complaint;
using filch::test::gate;
using filch::test::occupied;

namespace {

[[noreturn]] void fail(const char* what) { throw std::runtime_error(what); }

template <class F>
auto many(pool& p, int count, F f) {
  std::vector<future<std::invoke_result_t<F, int>>> all;
  for (int i = 0; i < count; ++i) all.push_back(p.submit([f, i] { return f(i); }));
  return all;
}

}  // namespace

TEST(when_all, gives_a_tuple_with_nothing_for_void) {
  pool p(2);
  int x = 0;
  future<std::tuple<int, nothing, int&, std::unique_ptr<int>>> f =
      when_all(p.submit([] { return 1; }), p.submit([] {}), p.submit([&]() -> int& { return x; }),
               p.submit([] { return std::make_unique<int>(2); }));
  const auto [a, b, c, d] = f.get();
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, nothing{});
  EXPECT_EQ(&c, &x);
  EXPECT_EQ(*d, 2);
}

TEST(when_all, of_nothing_is_ready_at_once) {
  EXPECT_TRUE(when_all().ready());
  future<std::vector<int>> values = when_all(std::vector<future<int>>());
  EXPECT_TRUE(values.ready());
  EXPECT_TRUE(values.get().empty());
  future<void> none = when_all(std::vector<future<void>>());
  EXPECT_TRUE(none.ready());
  none.get();
}

TEST(when_all, of_what_is_ready_is_ready_at_once) {
  pool p(2);
  future<int> a = p.submit([] { return 1; }), b = p.submit([] { return 2; });
  a.wait(), b.wait();
  auto both = when_all(std::move(a), std::move(b));
  EXPECT_TRUE(both.ready());
  EXPECT_EQ(both.get(), std::make_tuple(1, 2));
}

TEST(when_all, of_a_vector_keeps_the_order) {
  pool p(2);
  const std::vector<int> values = when_all(many(p, 1'000, [](int i) { return i * i; })).get();
  ASSERT_EQ(values.size(), 1'000u);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i * i);
  EXPECT_EQ(when_all(many(p, 3, [](int i) { return i == 1; })).get(),
            (std::vector<bool>{false, true, false}));
}

TEST(when_all, of_a_vector_of_nothing_gives_nothing) {
  std::atomic<int> ran = 0;
  pool p(2);
  future<void> f = when_all(many(p, 100, [&](int) { ++ran; }));
  f.get();
  EXPECT_EQ(ran, 100);
}

TEST(when_all, is_not_ready_before_the_last_one) {
  gate last;
  pool p(2);
  future<int> first = p.submit([] { return 1; });
  first.wait();
  auto all = when_all(std::move(first), p.submit([&] { return last.pass(), 2; }));
  EXPECT_FALSE(all.ready());
  last.open();
  EXPECT_EQ(all.get(), std::make_tuple(1, 2));
}

TEST(when_all, throws_what_the_lowest_index_threw_and_suppresses_the_others) {
  std::atomic<int> ended = 0;
  pool p(2);
  const auto odd_ones_fail = [&](int i) {
    ++ended;
    if (i % 2 == 1) fail(std::to_string(i).c_str());
    return i;
  };
  auto f = when_all(many(p, 6, odd_ones_fail));
  try {
    f.get();
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "1");
    std::vector<std::string> others;
    for (const std::exception_ptr& o : filch::suppressed())
      others.push_back(complaint<std::exception>([&] { std::rethrow_exception(o); }));
    EXPECT_EQ(others, (std::vector<std::string>{"3", "5"}));
  }
  EXPECT_EQ(ended, 6);
}

TEST(when_all, of_several_types_throws_what_the_lowest_index_threw) {
  gate late;
  pool p(2);
  auto f = when_all(p.submit([] { return 1; }), p.submit([&] {
    late.pass();
    fail("second");
  }),
                    p.submit([] { fail("third"); }));
  late.open();
  EXPECT_EQ(complaint<std::exception>([&] { f.get(); }), "second");
}

TEST(when_all, names_the_future_that_is_not_valid) {
  pool p(1);
  EXPECT_NE(complaint<std::exception>([&] {
              (void)when_all(p.submit([] {}), future<int>());
            }).find("index 1"),
            std::string::npos);
  std::vector<future<int>> inputs = many(p, 3, [](int i) { return i; });
  inputs[2].get();
  const std::string said = complaint<std::exception>([&] { (void)when_all(std::move(inputs)); });
  EXPECT_EQ(said.find("filch::when_all()"), 0u) << said;
  EXPECT_NE(said.find("index 2"), std::string::npos) << said;
}

TEST(when_all, dropped_neither_waits_nor_leaks) {
  const auto token = std::make_shared<int>(0);
  pool p(2);
  {
    const occupied busy(p);
    (void)when_all(many(p, 10, [token](int) { return token; }));
    (void)when_all(p.submit([token] { return token; }), p.submit([token] { return token; }));
  }
  p.wait_idle();
  EXPECT_EQ(token.use_count(), 1);
}

TEST(when_all, nests_without_a_stack) {
  constexpr int depth = 100'000;
  pool p({.threads = 1, .stack_size = std::size_t{64} * 1024});
  std::optional<occupied> busy(std::in_place, p);
  future<void> f = p.submit([] {});
  for (int i = 0; i < depth; ++i) {
    std::vector<future<void>> one;
    one.push_back(std::move(f));
    f = when_all(std::move(one));
  }
  busy.reset();
  f.get();
  EXPECT_FALSE(f.valid());
}

TEST(when_any, gives_the_first_and_its_index) {
  gate others;
  pool p(3);
  auto f = when_any(many(p, 3, [&](int i) {
    if (i != 1) others.pass();
    return 10 * i;
  }));
  EXPECT_EQ(f.get(), (std::pair<std::size_t, int>(1, 10)));
  others.open();
}

TEST(when_any, of_nothing_is_an_error) {
  EXPECT_THROW((void)when_any(std::vector<future<int>>()), usage_error);
}

TEST(when_any, of_what_is_ready_is_ready_at_once_with_the_lowest_index) {
  gate others;
  pool p(3);
  auto inputs = many(p, 4, [&](int i) {
    if (i == 0 || i == 3) others.pass();
    return i;
  });
  inputs[1].wait();
  inputs[2].wait();
  auto f = when_any(std::move(inputs));
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), (std::pair<std::size_t, int>(1, 1)));
  others.open();
}

TEST(when_any, gives_nothing_for_void_and_passes_references_on) {
  pool p(2);
  auto f = when_any(many(p, 1, [](int) {}));
  EXPECT_EQ(f.get(), (std::pair<std::size_t, nothing>(0, nothing{})));
  int x = 0;
  std::vector<future<int&>> refs;
  refs.push_back(p.submit([&]() -> int& { return x; }));
  EXPECT_EQ(&when_any(std::move(refs)).get().second, &x);
}

TEST(when_any, of_futures_one_by_one_gives_the_first_with_its_index) {
  gate others;
  pool p(3);
  future<std::pair<std::size_t, int>> f =
      when_any(p.submit([&] { return others.pass(), 0; }), p.submit([] { return 1; }),
               p.submit([&] { return others.pass(), 2; }));
  EXPECT_EQ(f.get(), (std::pair<std::size_t, int>(1, 1)));
  others.open();
  int x = 0;
  EXPECT_EQ(&when_any(p.submit([&]() -> int& { return x; })).get().second, &x);
  EXPECT_EQ(when_any(p.submit([] {})).get(), (std::pair<std::size_t, nothing>(0, nothing{})));
}

TEST(when_any, of_futures_one_by_one_names_the_one_that_is_not_valid) {
  pool p(1);
  const std::string said =
      complaint<std::exception>([&] { (void)when_any(p.submit([] { return 1; }), future<int>()); });
  EXPECT_EQ(said.find("filch::when_any()"), 0u) << said;
  EXPECT_NE(said.find("index 1"), std::string::npos) << said;
}

TEST(when_any, counts_an_exception_as_ready) {
  gate other;
  pool p(2);
  auto f = when_any(many(p, 2, [&](int i) {
    if (i == 0) other.pass();
    if (i == 1) fail("first to be ready");
    return i;
  }));
  EXPECT_EQ(complaint<std::exception>([&] { f.get(); }), "first to be ready");
  other.open();
}

TEST(when_any, names_the_future_that_is_not_valid) {
  pool p(1);
  auto inputs = many(p, 3, [](int i) { return i; });
  inputs[1].get();
  const std::string said = complaint<std::exception>([&] { (void)when_any(std::move(inputs)); });
  EXPECT_EQ(said.find("filch::when_any()"), 0u) << said;
  EXPECT_NE(said.find("index 1"), std::string::npos) << said;
}

TEST(when_any, the_others_go_on_and_their_results_are_destroyed) {
  const auto token = std::make_shared<int>(0);
  std::atomic<int> ended = 0;
  pool p(2);
  {
    std::optional<occupied> busy(std::in_place, p);
    auto f = when_any(many(p, 50, [&ended, token](int) { return ++ended, token; }));
    busy.reset();
    EXPECT_EQ(*f.get().second, 0);
  }
  p.wait_idle();
  EXPECT_EQ(ended, 50);
  EXPECT_EQ(token.use_count(), 1);
}

TEST(when_any, dropped_neither_waits_nor_leaks) {
  const auto token = std::make_shared<int>(0);
  pool p(2);
  {
    const occupied busy(p);
    (void)when_any(many(p, 10, [token](int) { return token; }));
  }
  p.wait_idle();
  EXPECT_EQ(token.use_count(), 1);
}

// Exactly one of those that end at the same moment is the first.
TEST(when_any, against_completion_there_is_exactly_one_first) {
  pool p(3);
  filch::test::watch(p);
  for (int round = 0; round < 2'000; ++round) {
    std::atomic<int> calls = 0;
    auto f = when_any(many(p, 3, [](int i) { return i; })).then([&](std::pair<std::size_t, int> r) {
      ++calls;
      return static_cast<int>(r.first) == r.second;
    });
    ASSERT_TRUE(f.get());
    p.wait_idle();
    ASSERT_EQ(calls, 1);
  }
}

TEST(when_all, against_completion_everything_is_there) {
  pool p(3);
  filch::test::watch(p);
  for (int round = 0; round < 2'000; ++round) {
    auto f = when_all(many(p, 3, [round](int i) { return round + i; }));
    ASSERT_EQ(f.get(), (std::vector<int>{round, round + 1, round + 2}));
  }
}

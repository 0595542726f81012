#include "filch/detail/kernel/optional_arguments.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

#include "filch/algorithm/min_element.hpp"
#include "filch/errors.hpp"
#include "filch/options.hpp"
#include "filch/pool.hpp"
#include "support/hang_guard.hpp"

namespace {

using filch::options;
using filch::detail::given;
using filch::detail::left_out;
using filch::detail::options_of;
using filch::detail::or_default;
using filch::detail::or_default_t;

bool less(int a, int b) { return a < b; }

TEST(optional_arguments, every_setting_of_options_in_the_place_of_a_function_counts) {
  filch::pool pool(1);
  std::stop_source stop;
  const options last;
  const std::vector<options> each{
      {.grain = 1},
      {.stop = stop.get_token()},
      {.priority = filch::priority::low},
      {.on = &pool},
      {.isolate = true},
      {.deterministic = true},
      {.progress = [](std::size_t, std::size_t) {}},
      {.max_workers = 1},
      {.deadline = std::chrono::steady_clock::now()},
  };
  for (const options& o : each) {
    EXPECT_EQ(&options_of(last, o, options()), &o);
    EXPECT_EQ(&options_of(last, std::plus<>(), o), &o);
    EXPECT_EQ(&options_of(o, options(), options()), &o);
  }
  EXPECT_EQ(&options_of(last), &last);
  EXPECT_EQ(&options_of(last, options()), &last);
  EXPECT_EQ(&options_of(last, left_out(), left_out()), &last);
  EXPECT_EQ(&options_of(last, std::identity()), &last);
}

TEST(optional_arguments, a_function_without_a_default_is_not_copied) {
  const options last;
  const auto pred = [](int i) { return i != 0; };
  options none;
  auto by = given(last, pred, none);
  EXPECT_EQ(&by.f, &pred);
  EXPECT_EQ(&by.o, &last);
  static_assert(std::same_as<decltype(by.g), std::identity>);
}

TEST(optional_arguments, a_default_stands_for_a_function_that_was_left_out) {
  const options last, coarse{.grain = 4};
  const auto later = [](int a, int b) { return a > b; };
  options&& none = left_out();
  auto by = given<std::ranges::less>(last, coarse, later, none);
  static_assert(std::same_as<decltype(by.f), std::ranges::less>);
  static_assert(std::same_as<decltype(by.h), std::identity>);
  EXPECT_EQ(&by.o, &coarse);
  EXPECT_TRUE(by.g(2, 1));
}

TEST(optional_arguments, options_where_a_function_may_stand_are_heeded) {
  std::stop_source asked;
  asked.request_stop();
  const options stopped{.stop = asked.get_token()};
  const std::vector<double> v(100'000);
  const auto first = v.begin();
  const auto last = v.end();
  EXPECT_THROW((void)filch::min_element(v, stopped), filch::cancelled);
  EXPECT_THROW((void)filch::min_element(v, {}, {.stop = asked.get_token()}), filch::cancelled);
  EXPECT_THROW((void)filch::min_element(v, {}, {}, {.stop = asked.get_token()}), filch::cancelled);
  EXPECT_THROW((void)filch::min_element(first, last, {.stop = asked.get_token()}),
               filch::cancelled);
  EXPECT_THROW((void)filch::min_element(first, last, std::greater<>(), stopped), filch::cancelled);
  EXPECT_EQ(filch::min_element(first, last, {}, {}, {}), first);
}

TEST(optional_arguments, settings_at_two_places_are_refused_and_none_of_them_is_dropped) {
  const options coarse{.grain = 4}, isolated{.isolate = true};
  EXPECT_THROW((void)options_of(coarse, isolated), filch::usage_error);
  EXPECT_THROW((void)options_of(options(), coarse, isolated), filch::usage_error);
  EXPECT_THROW((void)options_of(coarse, std::plus<>(), isolated), filch::usage_error);
  const std::vector<double> v(10);
  EXPECT_THROW((void)filch::min_element(v, {.grain = 4}, {}, {.isolate = true}),
               filch::usage_error);
  EXPECT_EQ(filch::min_element(v, {.grain = 4}, {}, {}), v.begin());
}

TEST(optional_arguments, a_function_is_called_where_it_is_and_a_constant_is_copied) {
  const std::less<> constant;
  std::less<> variable;
  options none;
  static_assert(std::same_as<decltype(or_default(variable)), std::less<>&>);
  static_assert(std::same_as<decltype(or_default(constant)), std::less<>>);
  static_assert(std::same_as<decltype(or_default(less)), bool (*)(int, int)>);
  static_assert(std::same_as<decltype(or_default<std::plus<>>(none)), std::plus<>>);
  static_assert(std::same_as<or_default_t<const std::less<>&>, std::less<>>);
  static_assert(std::same_as<or_default_t<const options&>, std::identity>);
  EXPECT_EQ(&or_default(variable), &variable);
  EXPECT_TRUE(or_default(less)(1, 2));
  EXPECT_EQ(or_default<std::plus<>>(none)(1, 2), 3);
}

}  // namespace

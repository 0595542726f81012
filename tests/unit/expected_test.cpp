#include "filch/expected.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace {

using number = filch::expected<int, std::string>;

number half(int x) {
  if (x % 2 != 0) return filch::unexpected<std::string>("odd");
  return x / 2;
}

TEST(expected, holds_a_value_or_an_error) {
  const number good = half(8);
  ASSERT_TRUE(good.has_value());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(*good, 4);
  EXPECT_EQ(good.value(), 4);
  EXPECT_EQ(good, 4);
  const number bad = half(7);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error(), "odd");
  EXPECT_EQ(bad, filch::unexpected<std::string>("odd"));
  EXPECT_NE(good, bad);
  EXPECT_EQ(bad.value_or(9), 9);
  EXPECT_EQ(half(8).value_or(9), 4);
  EXPECT_EQ(half(7).error_or("none"), "odd");
  EXPECT_EQ(half(8).error_or("none"), "none");
}

TEST(expected, throws_its_error_if_asked_for_a_value_that_is_not_there) {
  try {
    (void)half(7).value();
    FAIL() << "there was a value";
  } catch (const filch::bad_expected_access<std::string>& e) {
    EXPECT_EQ(e.error(), "odd");
  }
}

TEST(expected, passes_values_on_and_errors_through) {
  EXPECT_EQ(half(8).and_then(half), 2);
  EXPECT_EQ(half(6).and_then(half), filch::unexpected<std::string>("odd"));
  EXPECT_EQ(half(8).transform([](int x) { return std::to_string(x); }),
            (filch::expected<std::string, std::string>("4")));
  EXPECT_EQ(half(7).transform([](int x) { return x + 1; }).error(), "odd");
  const number bad = half(7);
  EXPECT_EQ(bad.or_else([](const std::string&) -> number { return 3; }), 3);
  EXPECT_EQ(bad.transform_error([](const std::string& e) { return e.size(); }).error(), 3u);
  EXPECT_TRUE(half(8).transform([](int) {}).has_value());
}

TEST(expected, of_nothing_is_success_or_an_error) {
  const filch::expected<void, int> good;
  EXPECT_TRUE(good.has_value());
  EXPECT_NO_THROW(good.value());
  EXPECT_EQ(good.transform([] { return 5; }), (filch::expected<int, int>(5)));
  const filch::expected<void, int> bad(filch::unexpect, 7);
  EXPECT_EQ(bad.error(), 7);
  EXPECT_THROW(bad.value(), filch::bad_expected_access<int>);
  EXPECT_NE(good, bad);
}

TEST(expected, moves_what_cannot_be_copied) {
  using owner = filch::expected<std::unique_ptr<int>, std::unique_ptr<std::string>>;
  owner one(std::make_unique<int>(1));
  owner two = std::move(one);
  EXPECT_EQ(**two, 1);
  std::unique_ptr<int> out = *std::move(two);
  EXPECT_EQ(*out, 1);
  two = owner(filch::unexpect, std::make_unique<std::string>("gone"));
  EXPECT_EQ(*std::move(two).error(), "gone");
}

}  // namespace

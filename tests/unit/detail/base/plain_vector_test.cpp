#include "filch/detail/base/plain_vector.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using filch::detail::plain_vector;

namespace {

template <class T>
std::vector<T> in_order(const plain_vector<T>& v) {
  return {v.begin(), v.end()};
}

}  // namespace

TEST(plain_vector, keeps_what_was_pushed_in_order_while_it_grows) {
  plain_vector<std::string> v;
  EXPECT_TRUE(v.empty());
  std::vector<std::string> expected;
  for (int i = 0; i < 100; ++i) {
    v.push_back(std::to_string(i));
    expected.push_back(std::to_string(i));
  }
  EXPECT_EQ(in_order(v), expected);
  EXPECT_EQ(v.back(), "99");
  EXPECT_EQ(v[50], "50");
}

TEST(plain_vector, takes_an_element_of_its_own) {
  plain_vector<std::string> v;
  v.push_back("a string that is too long to be kept in place");
  for (int i = 0; i < 20; ++i) v.push_back(v[0]);
  for (const std::string& s : v) EXPECT_EQ(s, v[0]);
}

TEST(plain_vector, does_not_move_its_elements_within_what_was_reserved) {
  plain_vector<int> v;
  v.reserve(10);
  const int* const first = v.begin();
  for (int i = 0; i < 10; ++i) v.push_back(i);
  EXPECT_EQ(v.begin(), first);
}

TEST(plain_vector, copies_are_apart_and_a_move_leaves_nothing) {
  plain_vector<std::string> v;
  v.push_back("one");
  plain_vector<std::string> copy = v;
  copy[0] = "two";
  EXPECT_EQ(v[0], "one");
  const plain_vector<std::string> moved = std::move(copy);
  EXPECT_EQ(in_order(moved), std::vector<std::string>{"two"});
  EXPECT_TRUE(copy.empty());  // NOLINT(*-use-after-move)
  v = moved;
  EXPECT_EQ(in_order(v), in_order(moved));
}

TEST(plain_vector, destroys_each_element_once) {
  const auto counted = std::make_shared<int>();
  plain_vector<std::shared_ptr<int>> v;
  for (int i = 0; i < 9; ++i) v.push_back(counted);
  EXPECT_EQ(counted.use_count(), 10);
  v.pop_back();
  EXPECT_EQ(counted.use_count(), 9);
  v.clear();
  EXPECT_EQ(counted.use_count(), 1);
  v.push_back(counted);
  v = {};
  EXPECT_EQ(counted.use_count(), 1);
}

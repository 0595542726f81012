#include "filch/detail/kernel/walk_parts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace {

using parts = filch::detail::walk_parts<std::string>;

/// Concatenates texts.
struct texts {
  struct folder {
    std::string all;
    void add(std::string&& made) { all += made; }
    std::string finish() && { return std::move(all); }
  };
  static folder begin() { return {}; }
};

TEST(walk_parts, are_joined_in_their_order_not_in_that_of_their_making) {
  parts all;
  auto& third = parts::insert_behind(all.first());
  auto& second = parts::insert_behind(all.first());
  third.keep("c");
  second.keep("b");
  all.first().keep("a");
  EXPECT_EQ(all.joined(texts()), "abc");
}

TEST(walk_parts, a_single_one_is_given_as_it_is) {
  parts all;
  all.first().keep("alone");
  EXPECT_EQ(all.joined(texts()), "alone");
}

/// There was memory for the part, but not for its list of nodes.
TEST(walk_parts, one_that_has_never_begun_is_left_out) {
  parts all;
  auto& third = parts::insert_behind(all.first());
  parts::insert_behind(all.first());
  all.first().keep("a");
  third.keep("c");
  EXPECT_EQ(all.joined(texts()), "ac");
}

TEST(walk_parts, nothing_behind_what_was_enough_is_wanted_nor_what_is_inserted_there) {
  parts all;
  auto& third = parts::insert_behind(all.first());
  auto& second = parts::insert_behind(all.first());
  parts::make_unwanted_behind(second);
  EXPECT_TRUE(all.first().is_wanted());
  EXPECT_TRUE(second.is_wanted());
  EXPECT_FALSE(third.is_wanted());
  EXPECT_FALSE(parts::insert_behind(third).is_wanted());
}

}  // namespace

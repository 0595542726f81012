// A value that is put into a box comes out unchanged, wherever the box has been, and is destroyed
// once.
#include "filch/detail/chain/boxed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "support/tracked.hpp"

using filch::detail::boxed;
using filch::test::tracked;

namespace {

boxed moved_twice(boxed first) {
  boxed second(std::move(first));
  return second;
}

TEST(boxed, nothing_is_a_value_of_its_own_as_made_by_default) {
  EXPECT_EQ(moved_twice(boxed()).take<std::optional<int>>(), std::nullopt);
  EXPECT_EQ(boxed().take<std::string>(), "");
}

TEST(boxed, holds_bytes) {
  EXPECT_EQ(moved_twice(boxed::holding(std::optional<int>(7))).take<std::optional<int>>(), 7);
  EXPECT_EQ(moved_twice(boxed::holding(std::optional<int>())).take<std::optional<int>>(),
            std::nullopt);
}

TEST(boxed, holds_what_refers_to_itself) {
  const std::string within = "short", outside(100, 'x');
  EXPECT_EQ(moved_twice(boxed::holding(std::string(within))).take<std::string>(), within);
  EXPECT_EQ(moved_twice(boxed::holding(std::string(outside))).take<std::string>(), outside);
}

TEST(boxed, holds_what_is_larger_or_stricter_than_its_storage) {
  using large = std::array<int, 1000>;
  large numbers{};
  numbers[999] = 5;
  EXPECT_EQ(moved_twice(boxed::holding(large(numbers))).take<large>()[999], 5);

  struct alignas(128) strict {  // UBSan checks its address
    int number = 0;
  };
  EXPECT_EQ(moved_twice(boxed::holding(strict{6})).take<strict>().number, 6);
}

/// Small, with moves that cannot throw, so it is stored inside the box. A moved-from value has to
/// be destroyed too.
struct counted {
  static inline int live = 0;
  counted() noexcept { ++live; }
  counted(counted&&) noexcept { ++live; }
  ~counted() { --live; }
};

TEST(boxed, destroys_once_what_is_not_taken) {
  {
    boxed box = moved_twice(boxed::holding(counted()));
    EXPECT_EQ(counted::live, 1);
  }
  EXPECT_EQ(counted::live, 0);
  {
    const counted out = moved_twice(boxed::holding(counted())).take<counted>();
    EXPECT_EQ(counted::live, 1);
  }
  EXPECT_EQ(counted::live, 0);
}

TEST(boxed, moves_of_the_box_cannot_throw_even_if_those_of_the_value_can) {
  tracked::reset_counts();
  {
    boxed box = boxed::holding(std::optional<tracked>(3));
    tracked::throw_at_move(1);
    boxed same = moved_twice(std::move(box));
    EXPECT_THROW((void)std::move(same).take<std::optional<tracked>>(), tracked::move_failed);
  }
  EXPECT_EQ(tracked::live(), 0);
  EXPECT_EQ(tracked::wrong_destructions(), 0);
  tracked::reset_counts();
}

}  // namespace

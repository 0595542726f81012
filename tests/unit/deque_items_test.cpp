// The types of items that a deque accepts, and how it treats them.
#include <gtest/gtest.h>

#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/deque.hpp"
#include "support/tracked.hpp"

using filch::deque;
using filch::steal_result;
using filch::steal_status;
using filch::test::tracked;

namespace {

struct three_bytes {
  std::array<std::uint8_t, 3> b;
  bool operator==(const three_bytes&) const = default;
};
struct eight_bytes {
  float x;
  std::int16_t y;
  char z;  // and a byte of padding
  bool operator==(const eight_bytes&) const = default;
};
struct no_default {
  explicit no_default(int n) : number(n) {}
  bool operator==(const no_default&) const = default;
  int number;
};
struct two_hundred_bytes {
  explicit two_hundred_bytes(int n) { numbers.fill(n); }
  bool operator==(const two_hundred_bytes&) const = default;
  std::array<int, 50> numbers;
};
struct alignas(256) over_aligned {
  explicit over_aligned(int n) : text(std::to_string(n)) {}
  bool operator==(const over_aligned&) const = default;
  bool aligned() const { return reinterpret_cast<std::uintptr_t>(this) % 256 == 0; }
  std::string text;
};
struct move_only {
  explicit move_only(int n) : number(n) {}
  move_only(move_only&&) = default;
  move_only& operator=(move_only&&) = default;
  bool operator==(const move_only&) const = default;
  int number;
};
struct empty {
  bool operator==(const empty&) const = default;
};
static_assert(sizeof(three_bytes) == 3 && sizeof(eight_bytes) == 8);
static_assert(filch::detail::fits_slot<three_bytes> && filch::detail::fits_slot<eight_bytes>);
static_assert(filch::detail::fits_slot<no_default> && filch::detail::fits_slot<int*>);
static_assert(!filch::detail::fits_slot<std::unique_ptr<int>>);
static_assert(!filch::detail::fits_slot<two_hundred_bytes>);
static_assert(!std::is_default_constructible_v<steal_result<int>>);
static_assert(!std::is_copy_constructible_v<deque<int>> &&
              !std::is_move_constructible_v<deque<int>>);
static_assert(noexcept(std::declval<deque<std::string>&>().pop()));
static_assert(noexcept(std::declval<deque<std::string>&>().steal()));
static_assert(!noexcept(std::declval<deque<tracked>&>().pop()));

/// Pushes make(0) ... make(99) and expects them back from both ends, through growth and
/// wrap-around.
template <class T, class Make>
void round_trip(Make make) {
  deque<T> d(2);
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (int i = 0; i < 100; ++i) d.push(make(i));
    for (int i = 0; i < 50; ++i) {
      auto stolen = d.steal();
      ASSERT_TRUE(stolen);
      ASSERT_TRUE(stolen.item == make(i));
      auto popped = d.pop();
      ASSERT_TRUE(popped);
      ASSERT_TRUE(*popped == make(99 - i));
    }
    ASSERT_FALSE(d.pop());
  }
  d.push(make(1));  // one is left for the destructor
}

TEST(steal_result, can_be_assigned_so_that_a_lost_steal_is_tried_again) {
  filch::deque<std::string> d;
  d.push("item");
  auto s = d.steal();
  while (s.status == steal_status::lost) s = d.steal();
  ASSERT_TRUE(s);
  auto copy = s;
  EXPECT_EQ(copy.item, "item");
  s = d.steal();
  EXPECT_EQ(s.status, steal_status::empty);
  s = copy;
  EXPECT_EQ(s.item, "item");

  filch::deque<std::unique_ptr<int>> owners;
  owners.push(std::make_unique<int>(7));
  auto first = owners.steal();
  auto second = owners.steal();
  second = std::move(first);
  EXPECT_EQ(*second.item, 7);
}

TEST(deque, holds_even_the_word_for_how_a_steal_ended) {
  filch::deque<steal_status> d;
  d.push(steal_status::lost);
  const auto s = d.steal();
  ASSERT_TRUE(s);
  EXPECT_EQ(s.item, steal_status::lost);
}

}  // namespace

TEST(deque, holds_numbers_of_every_size) {
  round_trip<int>([](int i) { return i; });
  round_trip<std::uint8_t>([](int i) { return static_cast<std::uint8_t>(i + 150); });
  round_trip<std::int16_t>([](int i) { return static_cast<std::int16_t>(-i); });
  round_trip<std::uint64_t>([](int i) { return ~std::uint64_t{0} - static_cast<unsigned>(i); });
  round_trip<double>([](int i) { return i / 3.0; });
  round_trip<bool>([](int i) { return i % 3 == 0; });
}

TEST(deque, holds_small_structs_in_the_slot) {
  round_trip<three_bytes>([](int i) {
    const auto byte = static_cast<std::uint8_t>(i);
    return three_bytes{{byte, static_cast<std::uint8_t>(byte + 1), 255}};
  });
  round_trip<eight_bytes>([](int i) {
    return eight_bytes{static_cast<float>(i), static_cast<std::int16_t>(-i), 'z'};
  });
  round_trip<no_default>([](int i) { return no_default(i); });
  round_trip<empty>([](int) { return empty{}; });
}

TEST(deque, holds_pointers) {
  std::array<int, 100> numbers{};
  round_trip<int*>([&](int i) { return &numbers[static_cast<std::size_t>(i)]; });
}

TEST(deque, holds_large_over_aligned_and_move_only_items) {
  round_trip<two_hundred_bytes>([](int i) { return two_hundred_bytes(i); });
  round_trip<move_only>([](int i) { return move_only(i); });
  round_trip<over_aligned>([](int i) { return over_aligned(i); });
  deque<over_aligned> d;
  d.push(over_aligned(1));
  d.push(over_aligned(2));
  EXPECT_TRUE(d.pop()->aligned());
  EXPECT_TRUE(d.steal().item.aligned());
}

TEST(deque, holds_strings_and_vectors) {
  round_trip<std::string>([](int i) { return std::string(static_cast<std::size_t>(i), 'x'); });
  round_trip<std::vector<int>>([](int i) { return std::vector<int>(3, i); });
}

TEST(deque, holds_unique_pointers) {
  deque<std::unique_ptr<int>> d(1);
  for (int i = 0; i < 10; ++i) d.push(std::make_unique<int>(i));
  EXPECT_EQ(*d.steal().item, 0);
  EXPECT_EQ(**d.pop(), 9);
}

TEST(deque, holds_functions) {
  deque<std::function<int()>> d(1);
  for (int i = 0; i < 10; ++i) d.push([i, text = std::string(100, 'x')] { return i; });
  EXPECT_EQ(d.steal().item(), 0);
  EXPECT_EQ((*d.pop())(), 9);
}

TEST(deque, holds_items_that_convert_from_anything) {
  deque<std::any> anys;
  anys.push(1);
  anys.push(2);
  EXPECT_EQ(std::any_cast<int>(anys.steal().item), 1);
  EXPECT_EQ(std::any_cast<int>(*anys.pop()), 2);
  EXPECT_EQ(anys.steal().status, steal_status::empty);
  deque<std::optional<std::string>> options;
  options.push(std::nullopt);
  options.push("x");
  EXPECT_EQ(options.steal().item, std::nullopt);
  EXPECT_EQ(**options.pop(), "x");
  EXPECT_FALSE(options.pop().has_value());
}

/// Every test ends with no instance alive and none destroyed twice.
class deque_of_tracked : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(tracked::live(), 0);
    tracked::reset_counts();
  }
  void TearDown() override {
    tracked::throw_at_move(0);
    EXPECT_EQ(tracked::live(), 0);
    EXPECT_EQ(tracked::wrong_destructions(), 0);
  }
};

TEST_F(deque_of_tracked, a_deque_that_dies_full_destroys_its_items_once) {
  for (int items : {1, 2, 3, 100, 10'000}) {
    deque<tracked> d(1);
    for (int i = 0; i < items; ++i) d.push(tracked(i));
    ASSERT_EQ(tracked::live(), items);
    if (items > 2) {
      d.steal();
      d.pop();
    }
  }
}

TEST_F(deque_of_tracked, an_item_is_moved_once_in_and_once_out) {
  deque<tracked> d(1);
  for (int i = 0; i < 100; ++i) d.push(tracked(i));  // growth moves no item
  EXPECT_EQ(tracked::moves(), 100);
  EXPECT_EQ(d.pop()->number(), 99);
  EXPECT_EQ(d.steal().item.number(), 0);
  EXPECT_EQ(tracked::moves(), 102);
}

TEST_F(deque_of_tracked, a_move_that_throws_at_push_leaves_the_deque_as_it_was) {
  deque<tracked> d(1);
  d.push(tracked(1));
  tracked::throw_at_move(1);
  EXPECT_THROW(d.push(tracked(2)), tracked::move_failed);
  EXPECT_EQ(tracked::live(), 1);
  EXPECT_EQ(d.size_hint(), 1u);
  d.push(tracked(3));
  EXPECT_EQ(d.steal().item.number(), 1);
  EXPECT_EQ(d.pop()->number(), 3);
}

TEST_F(deque_of_tracked, a_move_that_throws_at_pop_destroys_that_item_only) {
  deque<tracked> d;
  for (int i : {1, 2, 3}) d.push(tracked(i));
  tracked::throw_at_move(1);
  EXPECT_THROW(d.pop(), tracked::move_failed);
  EXPECT_EQ(tracked::live(), 2);
  EXPECT_EQ(d.pop()->number(), 2);
  tracked::throw_at_move(1);
  EXPECT_THROW(d.pop(), tracked::move_failed);  // the last item
  EXPECT_FALSE(d.pop());
  d.push(tracked(4));
  EXPECT_EQ(d.pop()->number(), 4);
}

TEST_F(deque_of_tracked, a_move_that_throws_at_steal_destroys_that_item_only) {
  deque<tracked> d, mine;
  for (int i : {1, 2, 3, 4, 5, 6}) d.push(tracked(i));
  tracked::throw_at_move(1);
  EXPECT_THROW(d.steal(), tracked::move_failed);
  EXPECT_EQ(tracked::live(), 5);
  tracked::throw_at_move(1);
  EXPECT_THROW(d.steal_one_into(mine), tracked::move_failed);  // 2 is gone, 3 and 4 moved on
  EXPECT_EQ(tracked::live(), 4);
  EXPECT_EQ(mine.steal().item.number(), 3);
  EXPECT_EQ(mine.steal().item.number(), 4);
  EXPECT_EQ(d.steal().item.number(), 5);
  EXPECT_EQ(d.steal().item.number(), 6);
  EXPECT_EQ(d.steal().status, steal_status::empty);
}

// For every k the k-th move of a short scenario throws. What was pushed comes out at most once, and
// what did not come out was destroyed.
TEST_F(deque_of_tracked, no_throwing_move_loses_another_item) {
  for (int k = 1; k <= 25; ++k) {
    SCOPED_TRACE(k);
    int out = 0, failed = 0, in = 0;
    {
      deque<tracked> d(1);
      const auto attempt = [&](auto what) {
        try {
          what();
        } catch (const tracked::move_failed&) {
          ++failed;
        }
      };
      tracked::throw_at_move(k);
      for (int i = 0; i < 10; ++i) attempt([&] { d.push(tracked(i)), ++in; });
      for (int i = 0; i < 3; ++i) attempt([&] { out += d.steal() ? 1 : 0; });
      for (int i = 0; i < 3; ++i) attempt([&] { out += d.pop() ? 1 : 0; });
      EXPECT_EQ(tracked::live(), in - out - (k > 10 && failed > 0 ? 1 : 0));
      EXPECT_EQ(static_cast<int>(d.size_hint()), tracked::live());
      EXPECT_EQ(failed, k <= 16 ? 1 : 0);
      tracked::throw_at_move(0);
    }
    EXPECT_EQ(tracked::live(), 0);
  }
}

TEST_F(deque_of_tracked, a_steal_result_owns_its_item_once) {
  deque<tracked> d;
  d.push(tracked(1));
  {
    steal_result<tracked> s = d.steal();
    EXPECT_TRUE(s);
    EXPECT_EQ(s.status, steal_status::taken);
    steal_result<tracked> t = std::move(s);
    EXPECT_EQ(t.item.number(), 1);
    EXPECT_EQ(tracked::live(), 2);  // s.item is moved from, but alive
    tracked::throw_at_move(1);
    EXPECT_THROW(steal_result<tracked>(std::move(t)), tracked::move_failed);
    EXPECT_EQ(tracked::live(), 2);
  }
  EXPECT_EQ(tracked::live(), 0);
  steal_result<tracked> nothing = d.steal();
  EXPECT_FALSE(nothing);
  EXPECT_EQ(nothing.status, steal_status::empty);
  steal_result<tracked> still_nothing = std::move(nothing);
  EXPECT_FALSE(still_nothing);
  EXPECT_FALSE(steal_result<tracked>(steal_status::lost));
}

TEST_F(deque_of_tracked, the_item_of_a_steal_result_can_be_moved_away) {
  deque<std::unique_ptr<tracked>> d;
  d.push(std::make_unique<tracked>(1));
  std::unique_ptr<tracked> kept;
  if (auto s = d.steal()) kept = std::move(s.item);
  EXPECT_EQ(kept->number(), 1);
}

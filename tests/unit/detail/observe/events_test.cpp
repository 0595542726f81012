#include "filch/detail/observe/events.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using filch::detail::event;
using filch::detail::event_kind;
using filch::detail::event_ring;

namespace {

std::vector<std::pair<event, std::string>> kept_in(const event_ring& ring) {
  std::vector<std::pair<event, std::string>> all;
  ring.for_each([&](const event& e, const std::string& name) { all.emplace_back(e, name); });
  return all;
}

std::string name_back(const std::string& name) {
  event_ring ring;
  ring.clear(64);
  ring.add_named(1, event_kind::span_begin, name, 0, 0, true);
  ring.add(2, event_kind::span_end);
  return kept_in(ring).at(0).second;
}

}  // namespace

TEST(event_ring, keeps_what_was_put_in) {
  event_ring ring;
  ring.clear(16);
  ring.add(5, event_kind::steal, 3, 17, 42);
  const auto kept = kept_in(ring);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].first.time, 5u);
  EXPECT_EQ(kept[0].first.kind(), event_kind::steal);
  EXPECT_EQ(kept[0].first.a(), 3u);
  EXPECT_EQ(kept[0].first.b(), 17u);
  EXPECT_EQ(kept[0].first.data, 42u);
}

TEST(event_ring, numbers_that_are_too_large_become_the_largest) {
  event_ring ring;
  ring.clear(16);
  ring.add(5, event_kind::sample, std::uint64_t{1} << 40, std::uint64_t{1} << 40, 0);
  EXPECT_EQ(kept_in(ring)[0].first.a(), event::most_a);
  EXPECT_EQ(kept_in(ring)[0].first.b(), event::most_b);
}

TEST(event_ring, that_is_full_loses_the_oldest_and_knows_how_many) {
  event_ring ring;
  ring.clear(16);
  for (std::uint64_t i = 0; i < 100; ++i) ring.add(i, event_kind::inject);
  const auto kept = kept_in(ring);
  ASSERT_EQ(kept.size(), 16u);
  EXPECT_EQ(kept.front().first.time, 84u);
  EXPECT_EQ(kept.back().first.time, 99u);
  EXPECT_EQ(ring.recorded(), 100u);
}

TEST(event_ring, names_of_all_lengths_come_back) {
  for (std::size_t length = 0; length <= event::longest_name; ++length) {
    std::string name;
    for (std::size_t i = 0; i < length; ++i) name += static_cast<char>('!' + i % 90);
    EXPECT_EQ(name_back(name), name) << length;
  }
}

TEST(event_ring, a_longer_name_loses_its_end) {
  EXPECT_EQ(name_back(std::string(1000, 'n')), std::string(event::longest_name, 'n'));
}

TEST(event_ring, a_counter_has_its_name_and_its_value) {
  event_ring ring;
  ring.clear(16);
  ring.add_named(1, event_kind::counter, "a name of some length, and more", 0,
                 std::bit_cast<std::uint64_t>(2.5), false);
  const auto kept = kept_in(ring);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].second, "a name of some length, and more");
  EXPECT_EQ(std::bit_cast<double>(kept[0].first.data), 2.5);
}

TEST(event_ring, a_name_whose_event_was_overwritten_is_left_out) {
  event_ring ring;
  ring.clear(16);
  ring.add_named(1, event_kind::span_begin, std::string(100, 'n'), 0, 0, true);  // five slots
  for (std::uint64_t i = 0; i < 13; ++i) ring.add(2, event_kind::inject);
  const auto kept = kept_in(ring);
  ASSERT_EQ(kept.size(), 13u);
  for (const auto& [e, name] : kept) EXPECT_EQ(e.kind(), event_kind::inject);
  EXPECT_EQ(ring.recorded(), 14u);
}

TEST(event_ring, without_memory_counts) {
  event_ring ring;  // it has no memory
  ring.add(1, event_kind::inject);
  EXPECT_TRUE(kept_in(ring).empty());
  EXPECT_EQ(ring.recorded(), 1u);
}

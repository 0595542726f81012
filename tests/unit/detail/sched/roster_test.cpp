#include "filch/detail/sched/roster.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "support/stage.hpp"

namespace {

using filch::detail::participant_kind;
using filch::detail::roster;
using filch::detail::worker;
using filch::test::stage;

TEST(roster, numbers_participants_in_the_order_in_which_they_came) {
  stage s({.threads = 1});
  roster all(1, 256);
  EXPECT_EQ(all.size(), 0u);
  all.add(s.home(), participant_kind::worker);
  all.add(s.home(), participant_kind::spare);
  all.take_guest_slot(s.home());
  ASSERT_EQ(all.size(), 3u);
  constexpr participant_kind kinds[] = {participant_kind::worker, participant_kind::spare,
                                        participant_kind::guest};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(all[i].index(), i);
    EXPECT_EQ(all[i].kind(), kinds[i]);
    EXPECT_EQ(&all[i].home(), &s.home());
  }
}

TEST(roster, participants_stay_where_they_are_when_it_grows) {
  stage s({.threads = 1});
  roster all(1, 256);
  std::vector<worker*> added;
  for (std::size_t i = 0; i < 70; ++i) added.push_back(&all.add(s.home(), participant_kind::spare));
  ASSERT_EQ(all.size(), 70u);
  for (std::size_t i = 0; i < 70; ++i) EXPECT_EQ(&all[i], added[i]) << i;
}

TEST(roster, a_guest_that_leaves_makes_its_slot_free_for_the_next_one) {
  stage s({.threads = 1});
  roster all(0, 256);
  worker& first = all.take_guest_slot(s.home());
  all.return_guest_slot(first);
  EXPECT_EQ(&all.take_guest_slot(s.home()), &first);
  EXPECT_EQ(all.size(), 1u);
}

TEST(roster, guests_that_are_there_at_once_have_slots_of_their_own) {
  stage s({.threads = 1});
  roster all(0, 256);
  worker& first = all.take_guest_slot(s.home());
  worker& second = all.take_guest_slot(s.home());
  EXPECT_NE(&first, &second);
  all.return_guest_slot(second);
  all.return_guest_slot(first);
  worker& again = all.take_guest_slot(s.home());
  EXPECT_NE(&again, &all.take_guest_slot(s.home()));
  EXPECT_EQ(all.size(), 2u);
}

TEST(roster, a_snapshot_has_the_participants_of_its_moment) {
  stage s({.threads = 1});
  roster all(1, 256);
  EXPECT_TRUE(all.snapshot().empty());
  worker& first = all.add(s.home(), participant_kind::worker);
  const std::vector<worker*> before = all.snapshot();
  worker& guest = all.take_guest_slot(s.home());
  all.return_guest_slot(guest);
  EXPECT_EQ(before, std::vector<worker*>{&first});
  EXPECT_EQ(all.snapshot(), (std::vector<worker*>{&first, &guest})) << "also free slots";
}

// TSan notices a participant that is seen before it is complete.
TEST(roster, a_reader_sees_complete_participants_while_others_come) {
  stage s({.threads = 1});
  roster all(1, 256);
  std::atomic<bool> over = false;
  std::thread reader([&] {
    while (!over)
      for (std::size_t i = 0, n = all.size(); i < n; ++i) EXPECT_EQ(all[i].index(), i);
  });
  for (int i = 0; i < 40; ++i) all.add(s.home(), participant_kind::spare);
  over = true;
  reader.join();
}

}  // namespace

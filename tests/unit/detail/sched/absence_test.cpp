#include "filch/detail/sched/absence.hpp"

#include <gtest/gtest.h>

#include "support/hang_guard.hpp"
#include "support/stage.hpp"

namespace {

using filch::detail::absence;
using filch::detail::activity;
using filch::detail::spare_threads;
using filch::detail::without_spare;
using filch::detail::worker;
using filch::test::stage;

/// Does any worker count as blocked? There are no spares.
bool any_is_blocked(stage& s) {
  spare_threads::standby probe{.who = s.worker(0), .counts = 0};
  if (!s.home().spares.begin_standby(probe)) return true;
  (void)s.home().spares.end_standby(probe);
  return false;
}

TEST(absence, inside_of_another_counts_once_and_that_of_a_guest_does_not) {
  stage s({.threads = 1, .max_spares = 0});
  absence& own = s.worker(0).away;
  EXPECT_FALSE(own.begin(without_spare::go_on));
  EXPECT_FALSE(s.worker(0).state.am_absent()) << "nothing has begun";
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(own.begin(without_spare::block));
  own.end();
  EXPECT_TRUE(s.worker(0).state.am_absent());
  EXPECT_TRUE(any_is_blocked(s));
  own.end();
  EXPECT_FALSE(any_is_blocked(s));

  worker& guest = s.home().participants.take_guest_slot(s.home());
  EXPECT_FALSE(guest.away.begin(without_spare::go_on));
  EXPECT_TRUE(guest.away.begin(without_spare::block));
  EXPECT_TRUE(guest.state.am_absent());
  EXPECT_FALSE(any_is_blocked(s));
  guest.away.end();
  EXPECT_FALSE(any_is_blocked(s));
}

TEST(absence, a_blocked_thread_has_a_seat_while_it_helps_in_a_wait) {
  stage s({.threads = 1});
  worker& w = s.worker(0);
  filch::detail::sleepers& seats = s.home().wakes.sleeping();
  seats.take_seats(1);  // as the thread of a worker does
  w.away.set_blocked(true);
  w.away.set_blocked(true);
  EXPECT_EQ(seats.free_seats(), 1);
  const std::size_t blocked = w.away.interrupt();
  EXPECT_EQ(seats.free_seats(), 0);
  EXPECT_EQ(w.state.doing(), activity::running);
  w.away.resume(blocked);
  EXPECT_EQ(seats.free_seats(), 1);
  EXPECT_EQ(w.state.doing(), activity::blocked);
  w.away.set_blocked(false);
  EXPECT_EQ(seats.free_seats(), 1) << "it is blocked twice";
  w.away.set_blocked(false);
  EXPECT_EQ(seats.free_seats(), 0);
}

}  // namespace

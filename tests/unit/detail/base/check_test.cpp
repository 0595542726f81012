// What checks do when they are on, whatever the build's setting: everything that depends on
// FILCH_CHECKS here is local to this file. check_disabled_test.cpp is the other half.
#ifdef FILCH_CHECKS
#undef FILCH_CHECKS
#endif
#define FILCH_CHECKS 1
#include "filch/detail/base/check.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <type_traits>

#if defined(__linux__)
#include <pthread.h>
#endif

using filch::detail::owner_check;

namespace {

void name_this_thread([[maybe_unused]] const char* name) {
#if defined(__linux__)
  pthread_setname_np(pthread_self(), name);
#endif
}

/// Stands for the deque.
struct owned_thing {
  void push() { owner.check("thing::push()"); }
  void hand_over() { owner.release("thing::hand_over()"); }
  owner_check owner;
};

class check : public testing::Test {
 protected:
  check() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using owner = check;

}  // namespace

TEST_F(check, a_true_condition_does_nothing) {
  int evaluated = 0;
  FILCH_CHECK(++evaluated == 1, "never seen");
  EXPECT_EQ(evaluated, 1);
}

TEST_F(check, a_false_condition_aborts_and_says_what_where_and_why) {
  const int grain = -1;
  EXPECT_DEATH(FILCH_CHECK(grain > 0, "a grain must be positive"),
               "^filch: a grain must be positive \\(.*check_test\\.cpp:[0-9]+: grain > 0\\)\n");
}

TEST_F(check, a_percent_sign_in_the_message_is_only_that) {
  EXPECT_DEATH(FILCH_CHECK(1 % 2 == 0, "100 %s"), "^filch: 100 %s \\(.*: 1 % 2 == 0\\)\n");
}

TEST_F(check, is_an_expression) {
  const int n = (FILCH_CHECK(true, "never seen"), 5);
  EXPECT_EQ(n, 5);
  if (n == 5)
    FILCH_CHECK(true, "never seen");
  else
    FAIL();
}

TEST_F(check, fail_formats_its_message_on_one_line) {
  EXPECT_DEATH(filch::detail::fail("%s has %d corners", "a square", 4),
               "^filch: a square has 4 corners\n");
}

TEST_F(owner, the_first_thread_to_be_checked_becomes_it) {
  owned_thing thing;
  thing.push();
  thing.push();
}

TEST_F(owner, need_not_be_the_thread_that_made_the_object) {
  owned_thing thing;
  std::thread([&] { thing.push(); }).join();
}

TEST_F(owner, another_thread_aborts_with_a_message_that_names_both) {
  const auto misuse = [] {
    owned_thing thing;
    name_this_thread("owner-0");
    thing.push();
    std::thread([&] {
      name_this_thread("thief-1");
      thing.push();
    }).join();
  };
#if defined(__linux__)
  EXPECT_DEATH(misuse(),
               "^filch: thing::push\\(\\) was called by thread [0-9]+ \\(thief-1\\), but thread "
               "[0-9]+ \\(owner-0\\) is the owner; only the owner may do that\\. To change owners, "
               "call hand_over\\(\\) on the owner first\\.\n");
#else
  EXPECT_DEATH(misuse(), "^filch: thing::push\\(\\) was called by thread [0-9]+ ");
#endif
}

TEST_F(owner, after_a_hand_over_the_next_thread_is_it) {
  owned_thing thing;
  thing.push();
  thing.hand_over();
  std::thread([&] {
    thing.push();
    thing.hand_over();
  }).join();
  thing.push();
}

TEST_F(owner, who_handed_over_is_it_no_longer) {
  const auto misuse = [] {
    owned_thing thing;
    thing.push();
    thing.hand_over();
    std::thread([&] {
      thing.push();
      std::thread([&] { thing.push(); }).join();
    }).join();
  };
  EXPECT_DEATH(misuse(), "^filch: thing::push\\(\\) was called by thread [0-9]+ ");
}

TEST_F(owner, only_the_owner_may_hand_over) {
  const auto misuse = [] {
    owned_thing thing;
    thing.push();
    std::thread([&] { thing.hand_over(); }).join();
  };
  EXPECT_DEATH(misuse(), "^filch: thing::hand_over\\(\\) was called by thread [0-9]+ ");
}

// Two threads race for an object without an owner. One becomes its owner, so the other aborts.
// (Both stay until then, so that one cannot get the other's thread number.)
TEST_F(owner, of_two_threads_that_race_for_it_only_one_wins) {
  const auto race = [] {
    owned_thing thing;
    std::atomic<int> done{0};
    const auto run = [&] {
      thing.push();
      done.fetch_add(1);
      while (done.load() < 2) std::this_thread::yield();
    };
    std::thread other(run);
    run();
    other.join();
  };
  EXPECT_DEATH(race(), "^filch: thing::push\\(\\) was called by thread [0-9]+ ");
}

TEST_F(owner, is_remembered_in_8_bytes_in_every_build) {
  EXPECT_EQ(sizeof(owner_check), 8u);  // the same line stands in check_disabled_test.cpp
}

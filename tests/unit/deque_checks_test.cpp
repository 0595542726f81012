// Misuse that FILCH_CHECKS reports, and handing over a deque, which is not misuse.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "filch/deque.hpp"

using filch::deque;

namespace {

void name_this_thread(const char* name) { pthread_setname_np(pthread_self(), name); }

/// Calls `what` on a thread called "another".
template <class What>
void on_another_thread(What what) {
  std::thread([&] {
    name_this_thread("another");
    what();
  }).join();
}

/// A pattern for the message that blames that thread and names the owner, with both thread
/// numbers.
std::string blames_another_thread_for(const char* operation) {
  std::ostringstream pattern;
  pattern << "deque::" << operation
          << ".* thread [0-9]+ \\(another\\), but thread [0-9]+ \\(rightful\\) is the owner";
  return pattern.str();
}

}  // namespace

class deque_checks : public testing::Test {
 protected:
  void SetUp() override {
    if (FILCH_CHECKS == 0)
      GTEST_SKIP() << "this build has FILCH_CHECKS=0: misuse is not looked for";
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    name_this_thread("rightful");
    d.push(1);
  }

  deque<int> d;
};
using deque_checks_death_test = deque_checks;

TEST_F(deque_checks_death_test, a_push_by_a_thread_that_is_not_the_owner_names_both) {
  EXPECT_DEATH(on_another_thread([this] { d.push(2); }), blames_another_thread_for("push"));
}

TEST_F(deque_checks_death_test, a_pop_by_a_thread_that_is_not_the_owner_names_both) {
  EXPECT_DEATH(on_another_thread([this] { d.pop(); }), blames_another_thread_for("pop"));
}

TEST_F(deque_checks_death_test, handing_over_what_one_does_not_own_names_both) {
  EXPECT_DEATH(on_another_thread([this] { d.hand_over(); }),
               blames_another_thread_for("hand_over"));
}

TEST_F(deque_checks_death_test, a_batch_steal_into_a_deque_one_does_not_own_names_both) {
  deque<int> victim;
  EXPECT_DEATH(on_another_thread([&] { victim.steal_into(d); }),
               blames_another_thread_for("steal_into"));
  EXPECT_DEATH(on_another_thread([&] { victim.steal_one_into(d); }),
               blames_another_thread_for("steal_one_into"));
}

TEST_F(deque_checks_death_test, a_thread_that_handed_over_is_not_the_owner) {
  d.hand_over();
  std::thread([this] { d.push(2); }).join();
  EXPECT_DEATH(d.push(3), "deque::push.* thread [0-9]+ .*but thread [0-9]+ .*is the owner");
}

TEST(deque, after_handing_over_the_next_thread_to_push_owns_it) {
  deque<int> d;
  d.push(1);
  d.hand_over();
  std::thread([&] {
    d.push(2);
    EXPECT_EQ(d.pop(), 2);
    d.push(3);
    d.hand_over();
  }).join();
  EXPECT_EQ(d.pop(), 3);
  EXPECT_EQ(d.pop(), 1);
}

TEST(deque, other_threads_may_steal_look_and_destroy) {
  auto d = std::make_unique<deque<int>>();
  for (int i = 0; i < 4; ++i) d->push(i);
  std::thread([&] {
    deque<int> mine;
    EXPECT_EQ(d->size_hint(), 4u);
    EXPECT_EQ(d->steal().item, 0);
    EXPECT_EQ(d->steal_one_into(mine).item, 1);
    EXPECT_EQ(d->get_stealer().steal_into(mine).count, 1u);
    d.reset();
  }).join();
  EXPECT_EQ(d, nullptr);
}

TEST(deque, the_checks_change_no_layout) {
  EXPECT_EQ(sizeof(filch::detail::owner_check), sizeof(std::uint64_t));
}

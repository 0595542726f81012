#include "filch/detail/sched/branch_share.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "filch/detail/sched/registry.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/jobs.hpp"

namespace {

using filch::detail::branch_share;
using filch::detail::branch_stack;
using filch::detail::my_branches;
using filch::detail::registry;
using filch::test::open_branches;
using filch::test::pushed_branch;
using filch::test::until;

bool is_shown(const branch_share& b, bool outsider = false) {
  bool shown = false;
  b.visit(outsider, [&](branch_stack& s) { shown = &s == &my_branches; });
  return shown;
}

TEST(branch_share, shows_the_owners_stack_from_open_to_hide) {
  branch_share b(false);
  EXPECT_FALSE(is_shown(b));
  b.open();
  EXPECT_TRUE(is_shown(b));
  EXPECT_TRUE(is_shown(b, true));
  b.hide();
  EXPECT_FALSE(is_shown(b));
  EXPECT_TRUE(my_branches.is_open()) << "the owner may still join";
  b.close();
  EXPECT_FALSE(my_branches.is_open());
}

TEST(branch_share, can_be_opened_again) {
  branch_share b(true);
  for (int guest = 0; guest < 3; ++guest) {
    const open_branches open(b);
    EXPECT_TRUE(is_shown(b));
    const pushed_branch p;
    EXPECT_EQ(b.size_hint(false), 1u);
  }
  EXPECT_FALSE(is_shown(b));
}

TEST(branch_share, thieves_see_how_many_branches_there_are_and_ask_for_them) {
  branch_share b(false);
  EXPECT_EQ(b.size_hint(false), 0u);
  EXPECT_FALSE(b.has_public());
  b.ask();  // nothing is open: it does nothing
  const open_branches open(b);
  EXPECT_FALSE(my_branches.asked());
  b.ask();
  EXPECT_TRUE(my_branches.asked());
  const pushed_branch p, q;
  EXPECT_EQ(b.size_hint(false), 2u);
  EXPECT_EQ(b.size_hint(true), 2u);
  EXPECT_TRUE(b.has_public());
}

TEST(branch_share, a_guest_for_one_join_keeps_its_pool_alive_until_the_join_ends) {
  branch_share b(true);
  auto host = std::make_shared<registry>(filch::pool_options{.threads = 1});
  registry* const address = host.get();
  EXPECT_FALSE(b.is_open_for_one_join());
  b.begin_one_join(host);
  EXPECT_EQ(host.use_count(), 2);
  EXPECT_TRUE(is_shown(b));
  EXPECT_TRUE(b.is_open_for_one_join());
  b.begin_last_branch();
  EXPECT_FALSE(b.is_open_for_one_join()) << "the slot of the branch may be used again";
  EXPECT_EQ(b.end_one_join().get(), address);
  EXPECT_EQ(host.use_count(), 1);
  EXPECT_FALSE(my_branches.is_open());

  b.begin_one_join(host);
  EXPECT_TRUE(b.is_open_for_one_join()) << "the next join is not in its last branch";
  (void)b.end_one_join();
}

// So that the join is ended on the slow path.
TEST(branch_share, the_branch_of_a_guests_one_join_stays_public) {
  branch_share b(true);
  b.begin_one_join(std::make_shared<registry>(filch::pool_options{.threads = 1}));
  {
    const pushed_branch own;
    {
      const pushed_branch deeper;
      my_branches.expose_all();
    }  // the owner takes that back, and half of what lies below
    EXPECT_FALSE(my_branches.pop(own.slot()));
  }
  (void)b.end_one_join();
}

/// Does close() wait for a visitor of the stack?
void expect_close_waits_for_a_visitor(bool of_guest, bool outsider) {
  branch_share b(of_guest);
  b.open();
  std::atomic<bool> inside = false, left = false;
  std::thread visitor([&] {
    b.visit(outsider, [&](branch_stack&) {
      inside = true;
      until([&] {  // the owner is in close()
        bool shown = false;
        b.visit(outsider, [&](branch_stack&) { shown = true; });
        return !shown;
      });
      for (int i = 0; i < 100; ++i) std::this_thread::yield();
      left = true;
    });
  });
  until([&] { return inside.load(); });
  b.close();
  EXPECT_TRUE(left);
  visitor.join();
}

TEST(branch_share, close_waits_for_a_thread_that_looks_at_the_stack_of_a_guest) {
  expect_close_waits_for_a_visitor(true, false);
}

TEST(branch_share, close_waits_for_outsiders_that_look_at_the_stack_of_a_worker) {
  expect_close_waits_for_a_visitor(false, true);
}

}  // namespace

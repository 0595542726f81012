#include "filch/detail/sched/pool_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "filch/detail/sched/registry.hpp"

namespace {

using filch::detail::add_live_pool;
using filch::detail::leave_to_parent;
using filch::detail::live_pools;
using filch::detail::registry;
using filch::detail::remove_live_pool;

std::shared_ptr<registry> make(const std::string& name) {
  return std::make_shared<registry>(filch::pool_options{.threads = 1, .name = name});
}

/// The live pools among `own`, in the order of the list.
std::vector<registry*> live(const std::vector<registry*>& own) {
  std::vector<registry*> found;
  for (const auto& p : live_pools())
    if (std::find(own.begin(), own.end(), p.get()) != own.end()) found.push_back(p.get());
  return found;
}

bool has_namesake(const std::shared_ptr<registry>& p) { return p->links.has_namesake; }

TEST(pool_list, has_the_live_pools_in_the_order_in_which_they_were_added) {
  const auto a = make("a"), b = make("b"), c = make("c");
  const std::vector<registry*> own{a.get(), b.get(), c.get()};
  EXPECT_TRUE(live(own).empty()) << "making a pool does not add it";
  for (const auto& p : {a, b, c}) add_live_pool(*p);
  EXPECT_EQ(live(own), own);
  remove_live_pool(*b);
  EXPECT_EQ(live(own), (std::vector<registry*>{a.get(), c.get()}));
  remove_live_pool(*c);
  remove_live_pool(*a);
  EXPECT_TRUE(live(own).empty());
}

TEST(pool_list, a_pool_may_be_removed_that_is_not_there) {
  const auto a = make("a"), b = make("b");
  add_live_pool(*a);
  remove_live_pool(*b);
  EXPECT_EQ(live({a.get(), b.get()}), std::vector<registry*>{a.get()});
  remove_live_pool(*a);
  remove_live_pool(*a);
  EXPECT_TRUE(live({a.get(), b.get()}).empty());
}

TEST(pool_list, a_thread_that_has_the_list_keeps_its_pools) {
  auto a = make("a");
  const std::weak_ptr<registry> watched = a;
  add_live_pool(*a);
  {
    const auto list = live_pools();
    remove_live_pool(*a);
    a.reset();
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(pool_list, pools_of_one_name_know_that_they_have_a_namesake) {
  const auto a = make("twin"), other = make("other"), b = make("twin"), late = make("twin");
  add_live_pool(*a);
  add_live_pool(*other);
  EXPECT_FALSE(has_namesake(a));
  add_live_pool(*b);
  EXPECT_TRUE(has_namesake(a));
  EXPECT_TRUE(has_namesake(b));
  EXPECT_FALSE(has_namesake(other));
  remove_live_pool(*a);
  EXPECT_TRUE(has_namesake(b)) << "earlier messages had its number";
  remove_live_pool(*b);
  add_live_pool(*late);
  EXPECT_FALSE(has_namesake(late)) << "they were not live at the same time";
  remove_live_pool(*late);
  remove_live_pool(*other);
}

TEST(pool_list, a_pool_that_is_left_to_the_parent_is_kept_for_ever) {
  auto a = make("a"), b = make("b");
  const std::weak_ptr<registry> first = a, second = b;
  leave_to_parent(*a);
  leave_to_parent(*b);
  a.reset();
  b.reset();
  EXPECT_FALSE(first.expired());
  EXPECT_FALSE(second.expired());
}

}  // namespace

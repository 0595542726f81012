#include "filch/detail/base/process.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include "support/child.hpp"

using filch::detail::birthplace;
using filch::detail::observe_forks;
using filch::detail::process_id;
using filch::detail::process_mark;
using filch::test::in_child;
using filch::test::require;

namespace {

constinit int calls = 0;
constinit bool is_installed = false;

/// Before the library installs its own handler. A static object would be made before or after those
/// of the library, as the linker chooses.
[[gnu::constructor(101)]] void install_handler() {
  is_installed = observe_forks([]() noexcept { ++calls; });
}

class process : public testing::Test {
 protected:
  process() { EXPECT_TRUE(is_installed); }
};

}  // namespace

TEST_F(process, what_was_made_before_a_fork_was_made_elsewhere_in_the_child) {
  const birthplace before;
  EXPECT_EQ(in_child([&] {
              require(!before.is_here(), "the parent's");
              require(birthplace().is_here(), "its own");
            }),
            "");
  EXPECT_TRUE(before.is_here());
}

TEST_F(process, a_grandchild_is_neither_its_parent_nor_its_grandparent) {
  const birthplace before;
  EXPECT_EQ(in_child([&] {
              const birthplace childs;
              const auto grandchild = [&] {
                require(!before.is_here() && !childs.is_here(), "both elsewhere");
              };
              require(in_child(grandchild).empty(), "the grandchild is content");
              require(childs.is_here(), "and the child is where it was");
            }),
            "");
}

TEST_F(process, the_first_handler_stays_and_is_called_in_the_child_only) {
  static int others = 0;
  EXPECT_TRUE(observe_forks([]() noexcept { ++others; }));
  const int before = calls;
  EXPECT_EQ(in_child([&] {
              require(calls == before + 1, "once in the child");
              require(others == 0, "and no other");
            }),
            "");
  EXPECT_EQ(calls, before);
}

TEST_F(process, a_mark_stays_and_is_of_one_process) {
  const std::uint64_t own = process_mark(process_id());
  EXPECT_NE(own, 0u);
  EXPECT_EQ(process_mark(process_id()), own);
  EXPECT_NE(process_mark(1), own);
  EXPECT_EQ(process_mark(std::uint64_t{1} << 40), 0u) << "there is none of that number";
}

TEST_F(process, a_mark_does_not_depend_on_the_name) {
  const std::uint64_t own = process_mark(process_id());
  EXPECT_EQ(in_child([] {
              const std::uint64_t before = process_mark(process_id());
              (void)prctl(PR_SET_NAME, "a) b 1 2 (c");
              require(before != 0 && process_mark(process_id()) == before, "the same");
            }),
            "");
  EXPECT_EQ(process_mark(process_id()), own);
}

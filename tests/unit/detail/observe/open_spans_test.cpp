#include "filch/detail/observe/open_spans.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>

#include "filch/detail/base/tracing.hpp"
#include "filch/detail/sched/observe.hpp"

using filch::detail::close_span;
using filch::detail::open_span;
using filch::detail::spans_alone;
using filch::detail::this_thread_mark;

namespace {

std::uint64_t open(const char* name) { return open_span(spans_alone, 0, name); }
void close(std::uint64_t which) { close_span(spans_alone, which); }
std::string innermost() { return filch::detail::innermost_span(this_thread_mark()); }

}  // namespace

TEST(open_spans, the_innermost_is_the_last_that_is_open) {
  EXPECT_EQ(innermost(), "");
  const std::uint64_t outer = open("outer"), inner = open("inner");
  EXPECT_EQ(innermost(), "inner");
  close(inner);
  EXPECT_EQ(innermost(), "outer");
  close(outer);
  EXPECT_EQ(innermost(), "");
}

TEST(open_spans, that_do_not_nest_end_each_for_itself) {
  const std::uint64_t first = open("first"), second = open("second");
  close(first);
  EXPECT_EQ(innermost(), "second");
  close(second);
  EXPECT_EQ(innermost(), "");
}

TEST(open_spans, of_a_thread_are_found_by_any_thread_and_end_with_it) {
  filch::detail::thread_mark other = 0;
  std::string seen;
  std::thread([&] {
    other = this_thread_mark();
    (void)open("other");
    std::thread([&] { seen = filch::detail::innermost_span(other); }).join();
  }).join();
  EXPECT_EQ(seen, "other");
  EXPECT_EQ(filch::detail::innermost_span(other), "");
}

TEST(open_spans, that_another_thread_ends_end_no_other_one_and_do_not_pile_up) {
  std::thread([] {
    const std::uint64_t mine = open("mine");
    std::thread([&] { close(mine); }).join();
    EXPECT_EQ(innermost(), "mine");
    for (int i = 0; i < 1000; ++i) (void)open("lost");
    const std::uint64_t last = open("last");
    EXPECT_EQ(innermost(), "last");
    close(last);
    close(mine);  // dropped long ago
    EXPECT_EQ(innermost(), "lost");
  }).join();
}

TEST(open_spans, of_a_trace_and_of_the_watchdog_are_not_mixed_up) {
  const std::uint64_t alone = open("alone");
  EXPECT_EQ(open_span(7, alone, "traced"), alone);
  close(alone);
  EXPECT_EQ(innermost(), "traced");
  close_span(7, alone);
  EXPECT_EQ(innermost(), "");
}

// A trace without memory: the k-th allocation fails, for every k.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>

#include "filch/pool.hpp"
#include "filch/trace.hpp"
#include "support/allocations.hpp"
#include "support/child.hpp"
#include "support/sanitizers.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::trace;
using filch::test::allocations;
using filch::test::fail_allocation;
using filch::test::temporary_path;
using filch::test::trace_file;

namespace {

/// A trace with some of everything that takes memory when it ends.
void fill_trace(pool& p) {
  const filch::trace_span outer("a span with a name that is longer than one event");
  p.install([&p] {
    for (int i = 0; i < 10; ++i) p.detach([] { const filch::trace_span s("inner"); });
  });
  p.wait_idle();
  filch::trace_counter("a counter with a name that is long enough to need memory", 1.5);
}

}  // namespace

TEST(trace_memory, no_allocation_that_fails_in_finish_ends_the_program) {
  const temporary_path path(".with_a_name_that_is_too_long_to_be_kept_in_place.json");
  pool p({.threads = 2, .name = "a name that is too long to be kept in place"});
  std::size_t k = 1, refused = 0;
  for (bool met = true; met; ++k) {
    ASSERT_LT(k, 1000u) << "allocations";
    for (const std::size_t count : {std::size_t{1}, fail_allocation::for_ever}) {
      trace t(path, {.events = 256});
      fill_trace(p);
      std::error_code error;
      testing::internal::CaptureStderr();
      {
        const fail_allocation nth(k, count);
        error = t.finish();
        met = fail_allocation::seen() != 0;
      }
      const std::string said = testing::internal::GetCapturedStderr();
      EXPECT_EQ(t.finish(), error) << "the second time";
      EXPECT_FALSE(trace::is_on());
      if (error) {
        ++refused;
        EXPECT_EQ(error, std::errc::not_enough_memory);
        EXPECT_NE(said.find("Cannot allocate memory"), said.npos) << said;
      } else {
        EXPECT_EQ(said, "");
        EXPECT_EQ(trace_file(path).events("inner").size(), 10u);
      }
      ASSERT_FALSE(HasFailure()) << "with allocation number " << k << " failing";
    }
  }
  EXPECT_GT(refused, 2u);
}

/// The first pool of a process, and so of a child, obeys the environment.
TEST(trace_memory, no_message_about_the_environment_that_needs_memory_ends_the_program) {
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  { const pool first(1); }
  ASSERT_EQ(::setenv("FILCH_TRACE", "/no/such/folder/with/a/long/name/of/a/trace.json", 1), 0);
  testing::internal::CaptureStderr();
  for (std::size_t k = 1; k < 40; ++k) {
    ASSERT_EQ(filch::test::in_child([&] {
                const fail_allocation nth(k, fail_allocation::for_ever);
                try {
                  const pool p(1);
                } catch (const std::bad_alloc&) {  // thrown by the pool, not by the trace
                }
              }),
              "")
        << "with allocation number " << k << " failing";
  }
  EXPECT_NE(testing::internal::GetCapturedStderr().find("The program runs without a trace"),
            std::string::npos);
  ASSERT_EQ(::unsetenv("FILCH_TRACE"), 0);
}

// What can go wrong with a trace, and the messages.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "filch/detail/observe/environment.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/trace.hpp"
#include "support/child.hpp"
#include "support/hang_guard.hpp"
#include "support/sanitizers.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::trace;
using filch::test::temporary_path;
using filch::test::trace_file;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string refusal(filch::trace_options o) {
  const temporary_path path(".refused.json");
  try {
    const trace t(path, o);
  } catch (const filch::usage_error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(trace_errors, a_path_that_cannot_be_created_is_an_exception_that_names_it) {
  try {
    const trace t("/no/such/folder/t.json");
    ADD_FAILURE() << "it was accepted";
  } catch (const std::system_error& e) {
    EXPECT_PRED2(contains, e.what(), "/no/such/folder/t.json");
    EXPECT_EQ(e.code(), std::errc::no_such_file_or_directory);
  }
  EXPECT_FALSE(trace::is_on());
}

TEST(trace_errors, a_full_disk_is_a_message_and_a_result_and_the_program_goes_on) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  pool p(1);
  testing::internal::CaptureStderr();
  trace t("/dev/full");
  p.install([] {});
  const std::error_code error = t.finish();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(error, std::errc::no_space_on_device);
  EXPECT_EQ(t.finish(), error);
  EXPECT_PRED2(contains, said, "filch: the trace could not be written to '/dev/full'");
  p.install([] {});
}

/// If no process reads a pipe, a signal ends the program that writes to it.
TEST(trace_errors, a_reader_that_goes_away_is_a_message_and_a_result) {
  const temporary_path fifo(".fifo");
  ASSERT_EQ(::mkfifo(fifo.string().c_str(), 0600), 0);
  const int reader = ::open(fifo.string().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  testing::internal::CaptureStderr();
  trace t(fifo);
  ::close(reader);
  EXPECT_EQ(t.finish(), std::errc::broken_pipe);
  EXPECT_PRED2(contains, testing::internal::GetCapturedStderr(), "it is not complete");
  sigset_t pending;
  EXPECT_EQ(::sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0) << "it comes later";
}

TEST(trace_errors, a_fifo_without_a_reader_is_refused_and_not_waited_for) {
  const temporary_path fifo(".fifo");
  ASSERT_EQ(::mkfifo(fifo.string().c_str(), 0600), 0);
  try {
    const trace t(fifo);
    ADD_FAILURE() << "it was accepted";
  } catch (const std::system_error& e) {
    EXPECT_PRED2(contains, e.what(), fifo.string());
    EXPECT_PRED2(contains, e.what(), "no process reads it");
  }
}

TEST(trace_errors, a_path_with_a_zero_byte_is_refused) {
  EXPECT_THROW((void)trace(std::string("a\0b", 3)), filch::usage_error);
}

TEST(trace_errors, the_destructor_says_it_too) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  testing::internal::CaptureStderr();
  { const trace t("/dev/full"); }
  EXPECT_PRED2(contains, testing::internal::GetCapturedStderr(), "/dev/full");
}

TEST(trace_errors, two_at_once_are_refused_and_the_first_goes_on) {
  const temporary_path path;
  {
    const trace first(path);
    EXPECT_PRED2(contains, refusal({}), "another trace is running");
    EXPECT_THROW((void)trace{path.string()}, filch::usage_error) << "also to the same file";
    const filch::trace_span s("still here");
  }
  EXPECT_EQ(trace_file(path).events("still here").size(), 1u);
}

TEST(trace_errors, options_out_of_their_range_are_refused_by_name) {
  EXPECT_PRED2(contains, refusal({.events = 15}), "trace_options::events is '15'");
  EXPECT_PRED2(contains, refusal({.events = SIZE_MAX}), "from 16 to 268435456");
  EXPECT_PRED2(contains, refusal({.sampling = std::chrono::nanoseconds(-1)}), "sampling is -1 ns");
  EXPECT_EQ(refusal({.events = 16}), "accepted");
}

TEST(trace_errors, an_explicit_path_is_taken_as_it_is) {
  const temporary_path path(".%p.json");
  { const trace t(path); }
  EXPECT_EQ(::access(path.string().c_str(), R_OK), 0);
}

TEST(trace_path, of_the_environment_has_the_process_and_percent_signs) {
  using filch::detail::expand_trace_path;
  EXPECT_EQ(expand_trace_path("a.json", 7), "a.json");
  EXPECT_EQ(expand_trace_path("%p", 7), "7");
  EXPECT_EQ(expand_trace_path("t.%p.%%p.%p", 123), "t.123.%p.123");
  EXPECT_THROW(expand_trace_path("100%", 7), filch::usage_error);
  EXPECT_THROW(expand_trace_path("%d", 7), filch::usage_error);
}

TEST(trace_fork, a_child_is_not_traced_and_leaves_the_file_alone) {
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  const temporary_path path, other(".child.json");
  {
    auto t = std::make_unique<trace>(path);
    { const filch::trace_span s("parent"); }
    EXPECT_EQ(filch::test::in_child([&] {
                filch::test::require(!trace::is_on(), "it is traced");
                const filch::trace_span s("child");
                t.reset();
                {
                  const trace own(other);
                  pool p(1);
                  p.install([] {});
                }
                filch::test::require(trace_file(other).sum("jobs") == 1, "its own trace");
              }),
              "");
  }
  const trace_file file(path);
  EXPECT_EQ(file.events("parent").size(), 1u);
  EXPECT_TRUE(file.events("child").empty());
}

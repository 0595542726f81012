// FILCH_TRACE, FILCH_TRACE_EVENTS and values of FILCH_LIVE, each in its own process: this program
// starts itself again, with one of the tests called `program`. (These have no hang guard: a child
// that exits would wait for its thread.)
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "filch/filch.hpp"
#include "support/child.hpp"
#include "support/own_program.hpp"
#include "support/sanitizers.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::test::ended;
using filch::test::temporary_path;
using filch::test::trace_file;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ended run(const std::string& environment, const std::string& name) {
  return filch::test::run_own(environment, "program", name);
}

}  // namespace

TEST(program, DISABLED_works) {
  pool p(2);
  for (int i = 0; i < 10; ++i) p.install([] {});
}

TEST(program, DISABLED_uses_the_default_pool) {
  for (int i = 0; i < 10; ++i) filch::detach([] {});  // drained at exit
}

TEST(program, DISABLED_traces_itself) {
  pool p(1);
  EXPECT_THROW((void)filch::trace("unused.json"), filch::usage_error);
}

TEST(program, DISABLED_forks) {
  pool p(1);
  p.install([] {});
  EXPECT_EQ(filch::test::in_child([] {
              {
                pool own(1);
                own.install([] {});
              }
              std::exit(0);  // ends as a program does, with its handlers
            }),
            "");
}

TEST(program, DISABLED_is_ended_by_a_signal) {
  pool p(2);
  for (int i = 0; i < 10; ++i) p.install([] {});
  ASSERT_EQ(::raise(SIGTERM), 0);
  for (;;) ::pause();
}

TEST(program, DISABLED_has_a_child_that_is_ended_by_a_signal) {
  pool p(1);
  p.install([] {});
  const pid_t child = ::fork();
  if (child == 0) {
    (void)::raise(SIGTERM);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  p.install([] {});
}

TEST(program, DISABLED_handles_the_signal_itself) {
  static volatile std::sig_atomic_t got = 0;
  (void)std::signal(SIGTERM, [](int) { got = 1; });
  pool p(1);
  p.install([] {});
  ASSERT_EQ(::raise(SIGTERM), 0);
  EXPECT_EQ(got, 1);
  p.install([] {});
}

TEST(trace_environment, traces_a_program_that_knows_nothing_of_it) {
  const temporary_path path;
  const ended e = run("FILCH_TRACE='" + path.string() + "'", "works");
  EXPECT_EQ(e.code, 0);
  EXPECT_EQ(e.said, "");
  const trace_file file(path);
  EXPECT_EQ(file.sum("jobs"), 10u);
  EXPECT_EQ(file.about().at("pools").size(), 1u);
}

TEST(trace_environment, has_what_the_default_pool_does_at_exit) {
  const temporary_path path;
  EXPECT_EQ(run("FILCH_TRACE='" + path.string() + "'", "uses_the_default_pool").code, 0);
  EXPECT_EQ(trace_file(path).sum("jobs"), 10u);
}

TEST(trace_environment, another_trace_in_the_program_is_refused) {
  const temporary_path path;
  EXPECT_EQ(run("FILCH_TRACE='" + path.string() + "'", "traces_itself").code, 0);
}

TEST(trace_environment, an_empty_variable_is_none) {
  const ended e = run("FILCH_TRACE= FILCH_LIVE= ", "works");
  EXPECT_EQ(e.code, 0);
  EXPECT_EQ(e.said, "");
}

TEST(trace_environment, what_cannot_be_met_is_a_message_and_the_program_runs) {
  const ended path = run("FILCH_TRACE=/no/such/folder/t.json", "works");
  EXPECT_EQ(path.code, 0);
  EXPECT_PRED2(contains, path.said, "'/no/such/folder/t.json'");
  const ended pattern = run("FILCH_TRACE=100%", "works");
  EXPECT_EQ(pattern.code, 0);
  EXPECT_PRED2(contains, pattern.said, "100%");
  const ended live = run("FILCH_LIVE=maybe", "works");
  EXPECT_EQ(live.code, 0);
  EXPECT_PRED2(contains, live.said, "FILCH_LIVE=maybe");
}

TEST(trace_environment, a_number_of_events_that_is_none_is_named) {
  const temporary_path path;
  for (const char* bad : {"many", "0", "-5", "15", "12x", "99999999999999999999999"}) {
    const ended e = run("FILCH_TRACE='" + path.string() + "' FILCH_TRACE_EVENTS=" + bad, "works");
    EXPECT_EQ(e.code, 0);
    EXPECT_PRED2(contains, e.said, "FILCH_TRACE_EVENTS is '" + std::string(bad) + "'");
  }
}

TEST(trace_environment, events_limits_the_ring) {
  const temporary_path path;
  EXPECT_EQ(run("FILCH_TRACE='" + path.string() + "' FILCH_TRACE_EVENTS=16", "works").code, 0);
  const trace_file file(path);
  EXPECT_EQ(file.sum("jobs"), 10u);
  EXPECT_LE(file.threads()[0].at("events"), 16);
}

TEST(trace_environment, a_signal_that_ends_the_program_leaves_a_trace_if_that_is_wanted) {
  const temporary_path path;
  const std::string trace = "FILCH_TRACE='" + path.string() + "' ";
  EXPECT_NE(run(trace + "FILCH_TRACE_ON_SIGNAL=1", "is_ended_by_a_signal").code, 0);
  EXPECT_EQ(trace_file(path).sum("jobs"), 10u);
  EXPECT_NE(run(trace + "FILCH_TRACE_ON_SIGNAL=0", "is_ended_by_a_signal").code, 0);
  struct stat about {};
  ASSERT_EQ(::stat(path.string().c_str(), &about), 0);
  EXPECT_EQ(about.st_size, 0);
}

TEST(trace_environment, a_signal_for_a_child_or_for_the_program_itself_ends_no_trace) {
  const temporary_path path;
  const std::string both = "FILCH_TRACE_ON_SIGNAL=1 FILCH_TRACE='" + path.string() + "'";
  EXPECT_EQ(run(both, "handles_the_signal_itself").code, 0);
  EXPECT_EQ(trace_file(path).sum("jobs"), 2u);
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  EXPECT_EQ(run(both, "has_a_child_that_is_ended_by_a_signal").code, 0);
  EXPECT_EQ(trace_file(path).sum("jobs"), 2u);
}

TEST(trace_environment, a_full_disk_is_a_message_at_exit) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full";
  const ended e = run("FILCH_TRACE=/dev/full", "works");
  EXPECT_EQ(e.code, 0);
  EXPECT_PRED2(contains, e.said, "could not be written to '/dev/full'");
}

TEST(trace_environment, a_limit_for_files_or_a_reader_that_is_gone_ends_no_program) {
  const temporary_path path;
  // Two kilobytes: a lower limit would end ThreadSanitizer, which writes a file when it starts.
  const ended limit = run("ulimit -f 4; FILCH_TRACE='" + path.string() + "'", "works");
  EXPECT_EQ(limit.code, 0) << "128 + SIGXFSZ is " << 128 + SIGXFSZ;
  EXPECT_PRED2(contains, limit.said, "could not be written to '" + path.string() + "'");
  const ended live = run("ulimit -f 4; FILCH_LIVE=1", "works");
  EXPECT_EQ(live.code, 0);
  EXPECT_PRED2(contains, live.said, "FILCH_LIVE=1");

  const temporary_path fifo(".fifo");
  ASSERT_EQ(::mkfifo(fifo.string().c_str(), 0600), 0);
  const ended unread = run("FILCH_TRACE='" + fifo.string() + "'", "works");
  EXPECT_EQ(unread.code, 0);
  EXPECT_PRED2(contains, unread.said, "no process reads it");
  const int reader = ::open(fifo.string().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const ended gone = run("FILCH_TRACE='" + fifo.string() + "'", "works");
  EXPECT_EQ(gone.code, 0) << "there was a reader";
  EXPECT_EQ(gone.said, "");
  ::close(reader);
}

TEST(trace_environment, a_child_writes_a_file_of_its_own_or_none) {
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  const temporary_path folder("");
  ASSERT_EQ(::mkdir(folder.string().c_str(), 0700), 0);
  const auto files = [&] {
    int n = 0;
    DIR* const d = ::opendir(folder.string().c_str());
    while (const dirent* e = ::readdir(d)) n += e->d_name[0] != '.' ? 1 : 0;
    ::closedir(d);
    return n;
  };
  EXPECT_EQ(run("FILCH_TRACE='" + folder.string() + "/one.json'", "forks").code, 0);
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(trace_file(folder.string() + "/one.json").sum("jobs"), 1u);
  EXPECT_EQ(run("FILCH_TRACE='" + folder.string() + "/%p.json'", "forks").code, 0);
  EXPECT_EQ(files(), 3);
  EXPECT_EQ(std::system(("rm -r '" + folder.string() + "'").c_str()), 0);
}

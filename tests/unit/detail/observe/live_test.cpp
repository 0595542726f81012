// The counters that a program with FILCH_LIVE=1 publishes, each test in its own process: this
// program starts itself again, with one of the tests called `live_program`. (These have no hang
// guard: a child that exits would wait for its thread.)
#include "filch/detail/observe/live.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>

#include "filch/load_monitor.hpp"
#include "filch/pool.hpp"
#include "support/child.hpp"
#include "support/eventually.hpp"
#include "support/own_program.hpp"
#include "support/sanitizers.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::detail::live_page;
using filch::test::ended;
using filch::test::in_child;
using filch::test::require;
using filch::test::temporary_path;
using filch::test::until;

namespace {

namespace fs = std::filesystem;

/// The path at which others find this process's page; empty if it does not publish.
std::string path_of_page() {
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry, gone).string().find(filch::detail::live_name) != std::string::npos)
      return entry.path().string();
  }
  return "";
}

/// The page that this process has published.
class own_page {
 public:
  own_page() {
    const std::string path = path_of_page();
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(::fstat(file, &about), 0) << path;
    memory_ = ::mmap(nullptr, sizeof(live_page), PROT_READ, MAP_SHARED, file, 0);
    EXPECT_NE(memory_, MAP_FAILED);
    ::close(file);
  }
  own_page(const own_page&) = delete;
  own_page& operator=(const own_page&) = delete;
  ~own_page() { ::munmap(memory_, sizeof(live_page)); }

  const live_page& look() {
    until([&] {
      return filch::detail::copy_live_page(*static_cast<const live_page*>(memory_), *copy_);
    });
    return *copy_;
  }
  struct stat about {};

 private:
  void* memory_;
  std::unique_ptr<live_page> copy_ = std::make_unique<live_page>();
};

/// A program that publishes, in an environment whose folders are empty before and after.
class live : public testing::Test {
 protected:
  live() { fs::create_directory(folder_.string()); }
  ~live() override {
    EXPECT_TRUE(fs::is_empty(folder_.string())) << "something is left in it";
    fs::remove_all(folder_.string());
  }
  ended run(const std::string& name) const {
    return filch::test::run_own(
        "FILCH_LIVE=1 TMPDIR='" + folder_.string() + "' XDG_RUNTIME_DIR='" + folder_.string() + "'",
        "live_program", name);
  }

 private:
  temporary_path folder_{""};
};

}  // namespace

/// Publishes, and reads its own page.
TEST(live_program, DISABLED_is_alive) {
  pool p({.threads = 2, .name = "alive"});
  for (int i = 0; i < 10; ++i) p.install([] {});
  own_page published;
  EXPECT_EQ(static_cast<std::size_t>(published.about.st_size), sizeof(live_page));
  const live_page& page = published.look();
  constexpr auto sleeping = static_cast<std::uint32_t>(filch::worker_state::sleeping);
  until([&] {  // one worker may run all jobs before the other's thread has begun
    (void)published.look();
    return page.pools == 1 && page.worker[0].jobs + page.worker[1].jobs == 10 &&
           page.worker[0].state == sleeping && page.worker[1].state == sleeping &&
           page.all_asleep == 1;
  });
  EXPECT_EQ(page.magic, filch::detail::live_magic);
  EXPECT_EQ(page.version, filch::detail::live_version);
  EXPECT_EQ(page.pid, static_cast<std::uint64_t>(::getpid()));
  EXPECT_STREQ(page.pool[0].name.data(), "alive");
  EXPECT_EQ(page.pool[0].workers, 2u);
  EXPECT_EQ(page.pool[0].entries, 4u);
  EXPECT_EQ(page.pool[0].ended, 0u);
  EXPECT_EQ(page.worker_entries, 4u);
  EXPECT_EQ(page.worker[2].kind, 1u);
  EXPECT_EQ(page.worker[3].kind, 2u);
}

/// A name that is cut, but not inside a character: then it would not be UTF-8 any more.
TEST(live_program, DISABLED_has_a_long_name) {
  std::string name;
  for (int i = 0; i < 20; ++i) name += "\u00e9";  // two bytes each
  pool p({.threads = 1, .name = name});
  p.install([] {});
  own_page published;
  const live_page& page = published.look();
  until([&] {
    (void)published.look();
    return page.pools == 1;
  });
  EXPECT_EQ(page.pool[0].name.data(), name.substr(0, 30));
}

/// More pools than there is room for, one after the other: too fast for a reader that looks at
/// intervals.
TEST(live_program, DISABLED_has_pools_that_come_and_go) {
  constexpr std::uint64_t pools = filch::detail::live_most_pools + 4;
  pool first({.threads = 1, .name = "first"});
  own_page published;
  for (std::uint64_t i = 1; i <= pools; ++i) {
    pool p({.threads = 1, .name = "short"});
    for (std::uint64_t j = 0; j < i; ++j) p.install([] {});
  }
  const live_page& page = published.look();
  ASSERT_EQ(page.pools, filch::detail::live_most_pools);
  EXPECT_EQ(page.pools_left_out, 0u);
  EXPECT_STREQ(page.pool[0].name.data(), "first");
  EXPECT_EQ(page.pool[0].ended, 0u);
  for (std::uint32_t i = 1; i < page.pools; ++i) {  // the newest of the others, completely
    EXPECT_STREQ(page.pool[i].name.data(), "short");
    EXPECT_EQ(page.pool[i].ended, 1u);
    EXPECT_EQ(page.worker[page.pool[i].first_worker].jobs, pools + 1 - i);
  }
}

TEST(live_program, DISABLED_has_a_worker_that_waits) {
  std::mutex mutex;
  pool p(1);
  std::unique_lock held(mutex);
  p.detach([&] { const std::scoped_lock lock(mutex); });
  own_page published;
  const live_page& page = published.look();
  constexpr auto waiting = static_cast<std::uint32_t>(filch::worker_state::waiting);
  until([&] {
    (void)published.look();
    return page.pools == 1 && page.worker[0].state == waiting && page.worker[0].still_ns > 0;
  });
  EXPECT_EQ(page.pool[0].unfinished, 1u);
  EXPECT_GT(page.worker[0].cpu_ns, 0u);
}

TEST(live_program, DISABLED_is_killed) {
  pool p(1);
  p.install([] {});
  (void)::raise(SIGKILL);
}

TEST(live_program, DISABLED_has_children_that_use_a_pool) {
  pool p(1);
  p.install([] {});
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(in_child([] {
                require(path_of_page().empty(), "it holds the page of its parent");
                pool own(1);
                own.install([] {});
                require(!path_of_page().empty(), "it publishes nothing");
              }),  // which ends it by _exit
              "");
}

TEST(live_program, DISABLED_is_cut_short) {
  pool p(1);
  const int file = ::open(path_of_page().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  EXPECT_NE(::ftruncate(file, 0), 0) << "its size can be changed";
  EXPECT_NE(::ftruncate(file, 1 << 20), 0) << "its size can be changed";
  ::close(file);
  own_page published;
  p.install([] {});
  until([&] { return published.look().worker[0].jobs == 1; });
}

TEST_F(live, publishes_what_pools_and_workers_do) {
  const ended e = run("is_alive");
  EXPECT_EQ(e.code, 0) << e.said;
}

TEST_F(live, a_worker_that_waits_in_a_job_is_not_running) {
  const ended e = run("has_a_worker_that_waits");
  EXPECT_EQ(e.code, 0) << e.said;
}

TEST_F(live, cuts_names_between_characters) {
  const ended e = run("has_a_long_name");
  EXPECT_EQ(e.code, 0) << e.said;
}

TEST_F(live, keeps_what_pools_did_that_have_ended) {
  const ended e = run("has_pools_that_come_and_go");
  EXPECT_EQ(e.code, 0) << e.said;
}

TEST_F(live, leaves_no_file_of_a_program_that_is_killed) { EXPECT_NE(run("is_killed").code, 0); }

TEST_F(live, leaves_no_file_of_children_that_leave_without_an_exit) {
  if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like children";
  const ended e = run("has_children_that_use_a_pool");
  EXPECT_EQ(e.code, 0) << e.said;
}

TEST_F(live, a_page_that_is_cut_short_does_not_end_the_program) {
  const ended e = run("is_cut_short");
  EXPECT_EQ(e.code, 0) << e.said;
}

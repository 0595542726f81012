// A program with more rights than the user who starts it. That user chooses its environment, so
// nothing in it may make the program write a file. This program copies itself, gives the copy to
// root with the set-user-ID bit, and starts it as another user.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "filch/filch.hpp"
#include "support/own_program.hpp"
#include "support/sanitizers.hpp"
#include "support/trace_file.hpp"

using filch::pool;
using filch::test::ended;
using filch::test::temporary_path;

namespace {

namespace fs = std::filesystem;

/// Is there a page of counters that others can find?
bool publishes() {
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry, gone).string().find("filch-live") != std::string::npos) return true;
  }
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");
  return folder != nullptr && !fs::is_empty(folder);
}

}  // namespace

TEST(raised_program, DISABLED_works) {
  ASSERT_NE(::getuid(), ::geteuid()) << "its rights were not raised";
  pool p;  // with the number of workers that filch chooses
  p.install([] {});
  EXPECT_FALSE(publishes());
}

class raised_rights : public testing::Test {
 protected:
  void SetUp() override {
    if (FILCH_TSAN || FILCH_ASAN) GTEST_SKIP() << "sanitizers do not like raised rights";
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a program to root";
    if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0)
      GTEST_SKIP() << "no program gets more rights here (PR_SET_NO_NEW_PRIVS)";
    if (std::system("setpriv --version > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "there is no setpriv, which starts a program as another user";
    fs::copy_file(filch::test::own_path(), copy_.string());
    ASSERT_EQ(::chmod(copy_.string().c_str(), 04755), 0);
    struct statvfs system {};
    ASSERT_EQ(::statvfs(copy_.string().c_str(), &system), 0);
    if ((system.f_flag & ST_NOSUID) != 0)
      GTEST_SKIP() << "files in " << testing::TempDir() << " raise no rights (nosuid)";
  }

  ended run(const std::string& environment) const {
    return filch::test::run_own(
        "setpriv --reuid=65534 --regid=65534 --clear-groups env " + environment, "raised_program",
        "works", copy_);
  }

 private:
  temporary_path copy_{".raised"};
};

TEST_F(raised_rights, let_no_user_overwrite_a_file_by_FILCH_TRACE) {
  const temporary_path theirs(".txt");
  std::ofstream(theirs.string()) << "precious";
  ASSERT_EQ(::chmod(theirs.string().c_str(), 0600), 0);
  const ended e = run("FILCH_TRACE='" + theirs.string() + "' FILCH_TRACE_ON_SIGNAL=1");
  EXPECT_EQ(e.code, 0) << e.said;
  std::ifstream file(theirs.string());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "precious");
}

TEST_F(raised_rights, let_no_user_make_a_file_by_FILCH_LIVE) {
  const temporary_path folder("");
  fs::create_directory(folder.string());
  const ended e = run("FILCH_LIVE=1 XDG_RUNTIME_DIR='" + folder.string() + "'");
  EXPECT_EQ(e.code, 0) << e.said;
  EXPECT_TRUE(fs::is_empty(folder.string()));
}

TEST_F(raised_rights, let_no_user_choose_how_many_threads_there_are) {
  const ended e =
      run("FILCH_NUM_THREADS=nonsense FILCH_NO_MEMBARRIER=nonsense FILCH_WATCHDOG=nonsense");
  EXPECT_EQ(e.code, 0) << e.said;
  EXPECT_EQ(e.said, "");
}

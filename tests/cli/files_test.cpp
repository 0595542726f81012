// Files of the user, moved and written where things go wrong.
#include "base/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/child.hpp"
#include "base/errors.hpp"

using namespace filch::cli;
namespace fs = std::filesystem;

namespace {

/// While it lives, no file can become larger, as on a full disk.
class file_limit {
 public:
  explicit file_limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  file_limit(const file_limit&) = delete;
  file_limit& operator=(const file_limit&) = delete;
  ~file_limit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST(cli_files, what_does_not_fit_on_another_disk_stays_where_it_was) {
  const temporary_folder here;
  const fs::path other = "/dev/shm";
  std::error_code error;
  if (!fs::is_directory(other, error)) GTEST_SKIP() << "no /dev/shm";
  const temporary_folder there(other);
  const fs::path from = there.path() / "from", to = here.path() / "to";
  const std::string text(300'000, 'x');
  std::ofstream(from) << text;
  fs::rename(from, here.path() / "same", error);
  if (!error) GTEST_SKIP() << "/dev/shm and " << here.path() << " are on the same disk";
  {
    const file_limit full(100'000);
    EXPECT_THROW((void)move_file(from, to), failure);
  }
  EXPECT_EQ(contents(from), text);
  EXPECT_FALSE(fs::exists(to));
  EXPECT_TRUE(fs::is_empty(here.path())) << "not even a part of it";
  EXPECT_EQ(move_file(from, to), to);
  EXPECT_EQ(contents(to), text);
  EXPECT_FALSE(fs::exists(from));
}

TEST(cli_files, nothing_is_written_through_a_link_in_the_way) {
  const temporary_folder folder;
  const fs::path place = folder.path() / "x", other = folder.path() / "other";
  std::ofstream(other) << "other";
  fs::create_symlink(other, folder.path() / ("x." + std::to_string(::getpid()) + ".part"));
  write_file(place, [](std::ostream& out) { out << "mine"; });
  EXPECT_EQ(contents(place), "mine");
  EXPECT_FALSE(fs::is_symlink(place));
  EXPECT_EQ(contents(other), "other");
}

TEST(cli_files, a_temporary_folder_goes_unless_it_is_kept) {
  const temporary_folder place;
  fs::path gone, kept;
  {
    temporary_folder a(place.path()), b(place.path());
    gone = a.path();
    kept = b.path();
    b.keep();
  }
  EXPECT_FALSE(fs::exists(gone));
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_THROW(temporary_folder("/proc"), failure);
}

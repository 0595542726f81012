#include "live/live_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/child.hpp"
#include "base/errors.hpp"
#include "filch/detail/base/process.hpp"

using filch::cli::live_file;
using filch::detail::live_page;

namespace {

/// A page of this process, in a folder of its own.
class cli_live_file : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1);
    page_->magic = filch::detail::live_magic;
    page_->version = filch::detail::live_version;
    page_->size = sizeof(live_page);
    page_->pid = static_cast<std::uint64_t>(getpid());
    page_->process_mark = filch::detail::process_mark(page_->pid);
  }
  void TearDown() override { unsetenv("XDG_RUNTIME_DIR"); }

  void publish() const {
    std::ofstream file(path(), std::ios::binary);
    file.write(reinterpret_cast<const char*>(page_.get()), sizeof(live_page));
    file.close();
    ASSERT_EQ(chmod(path().c_str(), 0600), 0);
  }
  std::string path() const {
    return (folder_.path() / ("filch-live." + std::to_string(getpid()))).string();
  }

  filch::cli::temporary_folder folder_;
  std::unique_ptr<live_page> page_ = std::make_unique<live_page>();
};

}  // namespace

TEST_F(cli_live_file, is_nothing_if_nobody_has_published) {
  EXPECT_FALSE(live_file::open(getpid()).has_value());
}

TEST_F(cli_live_file, is_read_as_it_was_written) {
  page_->sequence = 2;
  page_->pools = 1;
  page_->pool[0].id = 42;
  publish();
  const auto file = live_file::open(getpid());
  ASSERT_TRUE(file.has_value());
  const auto page = file->read();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->pool[0].id, 42u);
}

TEST_F(cli_live_file, of_a_writer_that_was_stopped_in_the_middle_gives_no_page) {
  page_->sequence = 1;
  publish();
  const auto file = live_file::open(getpid());
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->read(), nullptr);
}

TEST_F(cli_live_file, of_another_process_or_version_is_refused) {
  page_->pid += 1;
  publish();
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
  page_->pid -= 1;
  page_->version += 1;
  publish();
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

TEST_F(cli_live_file, that_others_may_write_is_refused) {
  publish();
  ASSERT_EQ(chmod(path().c_str(), 0622), 0);
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

TEST_F(cli_live_file, that_is_no_file_is_refused_at_once) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

TEST_F(cli_live_file, of_an_earlier_process_of_the_same_number_is_not_believed) {
  ++page_->process_mark;
  publish();
  EXPECT_FALSE(live_file::open(getpid()).has_value());
  EXPECT_TRUE(live_file::remove_left_behind(getpid()));
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_FALSE(live_file::remove_left_behind(getpid())) << "it is gone";
}

TEST_F(cli_live_file, of_a_process_that_lives_stays) {
  publish();
  EXPECT_FALSE(live_file::remove_left_behind(getpid()));
  EXPECT_TRUE(live_file::open(getpid()).has_value());
}

TEST_F(cli_live_file, of_a_process_whose_mark_is_not_known_is_believed_while_it_lives) {
  page_->process_mark = 0;
  publish();
  EXPECT_FALSE(live_file::remove_left_behind(getpid()));
  ASSERT_TRUE(live_file::open(getpid()).has_value());
  EXPECT_TRUE(live_file::open(getpid())->has_writer());
}

TEST_F(cli_live_file, of_another_program_is_not_removed) {
  page_->magic[0] = 'x';
  ++page_->process_mark;
  publish();
  EXPECT_FALSE(live_file::remove_left_behind(getpid()));
  EXPECT_TRUE(std::filesystem::exists(path()));
}

TEST_F(cli_live_file, that_is_only_begun_belongs_to_whoever_lives) {
  std::ofstream(path()).close();
  EXPECT_FALSE(live_file::remove_left_behind(getpid()));
  EXPECT_TRUE(std::filesystem::exists(path()));
}

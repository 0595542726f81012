#include "live/live_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "filch/detail/base/process.hpp"

using filch::cli::live_file;
using filch::detail::live_page;

namespace {

/// Pages that this process publishes.
class cli_live_file : public testing::Test {
 protected:
  void SetUp() override {
    page_->magic = filch::detail::live_magic;
    page_->version = filch::detail::live_version;
    page_->size = sizeof(live_page);
    page_->pid = static_cast<std::uint64_t>(getpid());
    page_->process_mark = filch::detail::process_mark(page_->pid);
  }
  void TearDown() override {
    for (const int file : files_) ::close(file);
  }

  void publish(unsigned seals = F_SEAL_SHRINK | F_SEAL_GROW, std::size_t size = sizeof(live_page)) {
    const int file = memfd_create(filch::detail::live_name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_GE(file, 0);
    files_.push_back(file);
    ASSERT_EQ(::write(file, page_.get(), size), static_cast<ssize_t>(size));
    ASSERT_EQ(fcntl(file, F_ADD_SEALS, seals), 0);
  }

  std::unique_ptr<live_page> page_ = std::make_unique<live_page>();

 private:
  std::vector<int> files_;
};

}  // namespace

TEST_F(cli_live_file, is_nothing_if_no_program_has_published) {
  EXPECT_FALSE(live_file::open(getpid()).has_value());
}

TEST_F(cli_live_file, is_nothing_if_there_is_no_such_process) {
  EXPECT_FALSE(live_file::open(4'194'304).has_value());
}

TEST_F(cli_live_file, is_read_as_it_was_written) {
  page_->sequence = 2;
  page_->pools = 1;
  page_->pool[0].id = 42;
  publish();
  const auto file = live_file::open(getpid());
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(file->has_writer());
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

TEST_F(cli_live_file, of_another_version_is_refused) {
  page_->version += 1;
  publish();
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

TEST_F(cli_live_file, of_another_size_is_refused) {
  publish(F_SEAL_SHRINK, 5);
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

TEST_F(cli_live_file, of_another_program_is_refused) {
  page_->magic[0] = 'x';
  publish();
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

/// Reading memory whose file was cut short would end this program by SIGBUS.
TEST_F(cli_live_file, that_can_be_cut_short_is_not_read) {
  publish(F_SEAL_GROW);
  EXPECT_FALSE(live_file::open(getpid()).has_value());
}

/// A process may be handed a file by another.
TEST_F(cli_live_file, of_another_user_is_not_believed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make files of another user";
  ASSERT_EQ(seteuid(65534), 0);
  publish();
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_THROW((void)live_file::open(getpid()), filch::cli::failure);
}

TEST_F(cli_live_file, that_cannot_be_used_does_not_hide_the_one_that_can) {
  page_->magic[0] = 'x';
  publish();
  page_->magic = filch::detail::live_magic;
  publish();
  EXPECT_TRUE(live_file::open(getpid()).has_value());
}

TEST_F(cli_live_file, of_the_parent_is_not_taken_for_that_of_its_child) {
  page_->pid = static_cast<std::uint64_t>(getppid());
  publish();
  EXPECT_FALSE(live_file::open(getpid()).has_value());
}

TEST_F(cli_live_file, of_an_earlier_process_of_the_same_number_is_not_believed) {
  ++page_->process_mark;
  publish();
  EXPECT_FALSE(live_file::open(getpid()).has_value());
}

TEST_F(cli_live_file, of_a_process_whose_mark_is_not_known_is_believed_while_it_lives) {
  page_->process_mark = 0;
  publish();
  ASSERT_TRUE(live_file::open(getpid()).has_value());
  EXPECT_TRUE(live_file::open(getpid())->has_writer());
}

#include "filch/detail/watch/trace_file.hpp"

#include <gtest/gtest.h>

#include <system_error>
#include <utility>

#include "filch/detail/base/files.hpp"
#include "filch/detail/watch/recording.hpp"
#include "support/trace_file.hpp"

namespace filch::detail {
namespace {

TEST(written_trace, has_no_row_for_a_thread_that_was_kept_from_its_first_event) {
  trace_record record;
  thread_record late, busy;
  late.events.clear(16);
  busy.events.clear(16);
  busy.events.add(ticks_now(), event_kind::inject, 0, 1);
  record.threads.push_back(std::move(late));
  record.threads.push_back(std::move(busy));
  record.end = clock_reading();

  const test::temporary_path path;
  std::error_code error;
  const int file = create_file(path, error);
  ASSERT_FALSE(error) << error.message();
  EXPECT_FALSE(write_trace(file, record));
  EXPECT_FALSE(close_file(file));
  const test::trace_file read(path);
  ASSERT_EQ(read.threads().size(), 1u);
  EXPECT_EQ(read.threads()[0].at("events"), 1);
}

}  // namespace
}  // namespace filch::detail

#include "filch/detail/observe/trace_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "filch/detail/base/files.hpp"
#include "filch/detail/base/utf8.hpp"
#include "filch/detail/observe/recording.hpp"
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

/// A trace may be shown in a terminal.
TEST(written_trace, has_no_name_that_commands_a_terminal) {
  const std::string name = "\x1b[1m\x7F\u0080\u009B\u009F\u202E\u2069 \u00e9";
  trace_record record;
  record.pools.emplace_back().name = name + "\x9B";
  record.end = clock_reading();

  const test::temporary_path path;
  std::error_code error;
  const int file = create_file(path, error);
  ASSERT_FALSE(error) << error.message();
  EXPECT_FALSE(write_trace(file, record));
  EXPECT_FALSE(close_file(file));
  EXPECT_EQ(test::trace_file(path).about().at("pools")[0].at("name"), name + "\uFFFD");
  std::ifstream in(path.string());
  const std::string text(std::istreambuf_iterator<char>(in), {});
  for (std::string_view rest = text; !rest.empty();) {
    const utf8_character c = first_character(rest);
    ASSERT_NE(c.length, 0u) << "at byte " << text.size() - rest.size();
    ASSERT_TRUE(c.code == '\n' || !is_control(c.code)) << "at byte " << text.size() - rest.size();
    rest.remove_prefix(c.length);
  }
}

}  // namespace
}  // namespace filch::detail

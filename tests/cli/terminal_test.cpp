#include <gtest/gtest.h>

#include <cmath>

#include "terminal/progress.hpp"
#include "terminal/style.hpp"
#include "terminal/table.hpp"

using filch::cli::align;
using filch::cli::cut_to;
using filch::cli::progress_bar;
using filch::cli::style;
using filch::cli::styled;
using filch::cli::table;
using filch::cli::width_of;

TEST(cli_table, columns_are_as_wide_as_their_widest_cell) {
  table t({{"name", align::left}, {"n"}});
  t.add({"a", "1000"});
  t.add({"longer", "7"});
  EXPECT_EQ(t.text(),
            "name       n\n"
            "a       1000\n"
            "longer     7\n");
}

TEST(cli_table, missing_cells_are_empty_and_leave_no_space) {
  table t({{"a", align::left}, {"b", align::left}});
  t.add({"x"});
  t.add({});
  EXPECT_EQ(t.text(), "a  b\nx\n\n");
}

TEST(cli_table, colours_take_no_width) {
  table t({{"n"}, {"m"}});
  t.add({styled("1", style::good, true), "2"});
  t.add({"10", "3"});
  EXPECT_EQ(t.text(), " n  m\n \x1b[32m1\x1b[0m  2\n10  3\n");
}

TEST(cli_style, nothing_is_added_if_colours_are_off) {
  EXPECT_EQ(styled("text", style::bad, false), "text");
  EXPECT_EQ(styled("text", style::plain, true), "text");
}

TEST(cli_style, the_width_counts_characters) {
  EXPECT_EQ(width_of(""), 0u);
  EXPECT_EQ(width_of("\x1b[1mab\x1b[0m"), 2u);
  EXPECT_EQ(width_of("\xC2\xB5s"), 2u);
  EXPECT_EQ(width_of("\x1b["), 0u);
}

TEST(cli_style, a_line_is_cut_and_its_colours_still_end) {
  EXPECT_EQ(cut_to("abcdef", 3), "abc");
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("\x1b[1mabc\x1b[0m", 1), "\x1b[1ma\x1b[0m");
  EXPECT_EQ(cut_to("\xC2\xB5s", 1), "\xC2\xB5");
}

TEST(cli_progress, the_bar_never_leaves_its_place) {
  EXPECT_EQ(progress_bar(0, 4), "[....]");
  EXPECT_EQ(progress_bar(0.5, 4), "[##..]");
  EXPECT_EQ(progress_bar(7, 4), "[####]");
  EXPECT_EQ(progress_bar(-1, 4), "[....]");
  EXPECT_EQ(progress_bar(std::nan(""), 4), "[....]");
}

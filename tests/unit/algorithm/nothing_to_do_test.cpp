// With no elements nothing can be skipped, so an earlier stop request is not a cancellation.
#include <gtest/gtest.h>

#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/errors.hpp"
#include "filch/options.hpp"
#include "support/hang_guard.hpp"

namespace {

class nothing_to_do : public testing::Test {
 protected:
  nothing_to_do() {
    std::stop_source source;
    source.request_stop();
    o.stop = source.get_token();
  }

  static constexpr auto odd = [](int i) { return i % 2 != 0; };
  filch::options o;
  std::vector<int> none;
  std::vector<int> out{1, 2, 3};
};

TEST_F(nothing_to_do, is_no_cancellation_of_loops_and_reductions) {
  EXPECT_NO_THROW(filch::parallel_for(
      0, 0, [](int) {}, o));
  EXPECT_NO_THROW(filch::for_each(
      none, [](int) {}, o));
  EXPECT_NO_THROW(filch::transform(none, out.begin(), std::negate(), o));
  EXPECT_NO_THROW(filch::fill(none, 1, o));
  EXPECT_NO_THROW(filch::generate(
      none, [] { return 1; }, o));
  EXPECT_NO_THROW(filch::copy(none, out.begin(), o));
  EXPECT_NO_THROW((void)filch::reduce(none, 0, o));
  EXPECT_NO_THROW((void)filch::count(none, 1, o));
  EXPECT_NO_THROW((void)filch::min_element(none, o));
  EXPECT_NO_THROW(filch::inclusive_scan(none, out.begin(), o));
  EXPECT_NO_THROW(filch::exclusive_scan(none, out.begin(), 0, o));
  EXPECT_NO_THROW(filch::inclusive_scan_by_key(none, none, out.begin(), o));
  EXPECT_NO_THROW((void)filch::histogram(none, 3, o));
  EXPECT_NO_THROW((void)filch::group_by_key(none, std::identity(), o));
  EXPECT_NO_THROW((void)filch::count_by_key(none, o));
  EXPECT_NO_THROW((void)filch::lines("", o));
  EXPECT_NO_THROW((void)filch::count_words("", o));
}

TEST_F(nothing_to_do, is_no_cancellation_of_searches) {
  EXPECT_NO_THROW((void)filch::find(none, 1, o));
  EXPECT_NO_THROW((void)filch::find_last(none, 1, o));
  EXPECT_NO_THROW((void)filch::find_any(none, 1, o));
  EXPECT_NO_THROW((void)filch::all_of(none, odd, o));
  EXPECT_NO_THROW((void)filch::adjacent_find(none, o));
  EXPECT_NO_THROW((void)filch::search(none, none, o));
  EXPECT_NO_THROW((void)filch::equal(none, none, o));
  EXPECT_NO_THROW((void)filch::mismatch(none, none, o));
  EXPECT_NO_THROW((void)filch::is_sorted(none, o));
  EXPECT_NO_THROW((void)filch::includes(none, none, o));
}

TEST_F(nothing_to_do, is_no_cancellation_of_what_rearranges) {
  EXPECT_NO_THROW(filch::copy_if(none, out.begin(), odd, o));
  EXPECT_NO_THROW((void)filch::pack(none, odd, o));
  EXPECT_NO_THROW(filch::partition(none, odd, o));
  EXPECT_NO_THROW(filch::stable_partition(none, odd, o));
  EXPECT_NO_THROW(filch::partition_copy(none, out.begin(), out.begin(), odd, o));
  EXPECT_NO_THROW((void)filch::remove(none, 1, o));
  EXPECT_NO_THROW((void)filch::unique(none, o));
  EXPECT_NO_THROW(filch::unique_copy(none, out.begin(), o));
  EXPECT_NO_THROW(filch::reverse(none, o));
  EXPECT_NO_THROW(filch::reverse_copy(none, out.begin(), o));
  EXPECT_NO_THROW(filch::rotate(none, none.begin(), o));
  EXPECT_NO_THROW(filch::swap_ranges(none, none, o));
  EXPECT_NO_THROW(filch::gather(none, none, out.begin(), o));
  EXPECT_NO_THROW(filch::scatter(none, none, out.begin(), o));
  EXPECT_NO_THROW((void)filch::flatten(std::vector<std::vector<int>>(), o));
  EXPECT_NO_THROW(filch::set_union(none, none, out.begin(), o));
  EXPECT_NO_THROW(filch::set_difference(none, none, out.begin(), o));
}

TEST_F(nothing_to_do, is_no_cancellation_of_sorts_merges_and_selections) {
  EXPECT_NO_THROW(filch::sort(none, o));
  EXPECT_NO_THROW(filch::stable_sort(none, o));
  EXPECT_NO_THROW(filch::sort_by_key(none, std::identity(), o));
  EXPECT_NO_THROW(filch::sort_by_cached_key(none, std::identity(), o));
  EXPECT_NO_THROW(filch::nth_element(none, none.begin(), o));
  EXPECT_NO_THROW(filch::partial_sort(none, none.begin(), o));
  EXPECT_NO_THROW(EXPECT_EQ(filch::partial_sort_copy(none, out, o).out, out.begin()));
  EXPECT_NO_THROW(EXPECT_TRUE(filch::top_k(none, 1, o).empty()));
  EXPECT_NO_THROW(EXPECT_EQ(filch::merge(none, none, out.begin(), o).out, out.begin()));
  EXPECT_NO_THROW(filch::inplace_merge(none, none.begin(), o));
}

TEST_F(nothing_to_do, is_not_the_same_as_something) {
  EXPECT_THROW(filch::for_each(
                   out, [](int) {}, o),
               filch::cancelled);
  EXPECT_THROW(filch::sort(out, o), filch::cancelled);
  EXPECT_THROW(filch::merge(out, none, none.begin(), o), filch::cancelled);
}

}  // namespace

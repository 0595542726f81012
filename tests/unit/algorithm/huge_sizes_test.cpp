// Ranges and numbers so large that their sums wrap around.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "filch/algorithm/flatten.hpp"
#include "filch/algorithm/for_each.hpp"
#include "filch/algorithm/histogram.hpp"
#include "filch/algorithm/merge.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "filch/algorithm/search.hpp"
#include "filch/algorithm/set_operations.hpp"
#include "filch/errors.hpp"
#include "support/computed.hpp"

namespace {

/// An iterator over f(0), f(1), ...
template <class F>
class made_of_number : public filch::test::computed_iterator<made_of_number<F>> {
 public:
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, std::size_t>>;

  made_of_number() = default;
  made_of_number(std::size_t at, F f) : at_(at), f_(f) {}
  value_type operator*() const { return f_(at_); }
  made_of_number& operator+=(std::ptrdiff_t n) {
    at_ += static_cast<std::size_t>(n);
    return *this;
  }
  friend std::ptrdiff_t operator-(const made_of_number& a, const made_of_number& b) {
    return static_cast<std::ptrdiff_t>(a.at_ - b.at_);
  }
  bool operator==(const made_of_number& o) const { return at_ == o.at_; }
  auto operator<=>(const made_of_number& o) const { return at_ <=> o.at_; }

 private:
  std::size_t at_ = 0;
  F f_ = {};
};

/// f(0), ..., f(size - 1), which are not in memory.
template <class F = std::identity>
class computed_range {
 public:
  explicit computed_range(std::size_t size, F f = {}) : size_(size), f_(f) {}
  made_of_number<F> begin() const { return {0, f_}; }
  made_of_number<F> end() const { return {size_, f_}; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  F f_;
};

/// Checks that the exception names all of these.
template <class F>
void expect_refused(F f, const std::vector<std::string>& names) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const filch::usage_error& e) {
    for (const std::string& name : names)
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
  }
}

const std::string most = std::to_string(SIZE_MAX);

TEST(huge_sizes, histogram_does_not_throw_an_error_that_names_no_value) {
  const std::vector<std::size_t> v = {1, 2, 3};
  expect_refused([&] { (void)filch::histogram(v, SIZE_MAX); }, {"histogram", most});
  expect_refused([&] { (void)filch::histogram(v, SIZE_MAX / 8 + 1); }, {"histogram"});
  const std::size_t times_four_is_four = SIZE_MAX / 4 + 2;
  expect_refused([&] { (void)filch::histogram(v.begin(), v.end(), times_four_is_four); },
                 {"histogram", std::to_string(times_four_is_four)});
}

TEST(huge_sizes, includes_does_not_overlook_what_is_behind_a_wrapped_sum) {
  // 1, 1, 3, 3, 5, 5, ...: none of them is even.
  const auto odd = [](std::size_t i) { return i | 1; };
  std::vector<std::size_t> missing(200'000);
  for (std::size_t i = 0; i < missing.size(); ++i) missing[i] = odd(2 * i);
  missing.back() = 2 * missing.size();
  const auto half = computed_range(SIZE_MAX / 2, odd);
  EXPECT_FALSE(filch::includes(half, missing));
  expect_refused([&] { (void)filch::includes(computed_range(SIZE_MAX, odd), missing); },
                 {most, std::to_string(missing.size())});
  EXPECT_FALSE(filch::includes(missing, computed_range(SIZE_MAX, odd)));
}

TEST(huge_sizes, set_operations_do_not_leave_out_what_is_behind_a_wrapped_sum) {
  std::vector<std::size_t> some(20'000), out(some.size());
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = i;
  const computed_range all(SIZE_MAX);
  expect_refused([&] { filch::set_intersection(all, some, out.begin()); }, {most, "20000"});
  expect_refused([&] { filch::set_difference(some, all, out.begin()); }, {most, "20000"});
  expect_refused([&] { filch::merge(some, all, out.begin()); }, {"merge", most, "20000"});
}

TEST(huge_sizes, a_needle_longer_than_what_it_is_looked_for_in_is_not_found_in_front_of_the_end) {
  const std::vector<std::size_t> v = {0, 1, 2, 3, 4};
  const auto found = filch::search(v, computed_range(SIZE_MAX));
  EXPECT_EQ(found.begin(), v.end());
  EXPECT_EQ(found.end(), v.end());
}

TEST(huge_sizes, flatten_does_not_write_past_a_vector_of_a_wrapped_size) {
  const std::vector<computed_range<>> two(2, computed_range(SIZE_MAX));
  std::vector<std::size_t> out(10);
  expect_refused([&] { (void)filch::flatten(two); }, {"flatten", most});
  expect_refused([&] { (void)filch::flatten(two, out.begin()); }, {"flatten", most});
  const std::vector<computed_range<>> one(1, computed_range(SIZE_MAX));
  expect_refused([&] { (void)filch::flatten(one); }, {"flatten", most});
  const auto few = [](std::size_t) { return computed_range(2); };
  expect_refused([&] { (void)filch::flatten(computed_range(SIZE_MAX, few)); }, {"flatten", most});
}

TEST(huge_sizes, top_k_does_not_begin_to_look_for_more_than_memory_can_hold) {
  const computed_range all(SIZE_MAX);
  expect_refused([&] { (void)filch::top_k(all, SIZE_MAX); }, {"top_k", most});
  expect_refused([&] { (void)filch::top_k(all, SIZE_MAX / 2 + 1); }, {"top_k"});
  const std::vector<std::size_t> v = {1, 3, 2};
  EXPECT_EQ(filch::top_k(v, SIZE_MAX), (std::vector<std::size_t>{3, 2, 1}));
}

TEST(huge_sizes, loops_over_dimensions_name_the_numbers_that_they_cannot_count) {
  expect_refused([] { filch::parallel_for(0, SIZE_MAX, 0, 3, [](std::size_t, int) {}); },
                 {"parallel_for", most, "3"});
}

/// A number too large for std::size_t.
__extension__ using wide = unsigned __int128;

/// Has two items more than can be counted.
class wide_range : public computed_range<> {
 public:
  wide_range() : computed_range(2) {}
  wide size() const { return wide{SIZE_MAX} + 3; }
};

TEST(huge_sizes, a_range_of_more_items_than_can_be_counted_does_not_shrink) {
  std::atomic<int> calls = 0;
  expect_refused([&] { filch::for_each(wide_range(), [&](std::size_t) { ++calls; }); }, {most});
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(filch::detail::size_from(wide{SIZE_MAX}), SIZE_MAX);
}

TEST(huge_sizes, more_numbers_than_their_common_type_has_are_refused) {
  using filch::detail::counted;
  EXPECT_EQ(counted(-1, 3u).size(), 4u);
  EXPECT_EQ(counted(-1, 4'294'967'294u).size(), 4'294'967'295u);
  EXPECT_THROW(counted(-1, 4'294'967'295u), filch::usage_error);
  EXPECT_THROW(counted(-3, 4'294'967'295u), filch::usage_error);
  EXPECT_THROW(counted(-1, std::numeric_limits<std::uint64_t>::max()), filch::usage_error);
}

}  // namespace

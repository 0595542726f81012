// Searches of 10 million ints, beside the sum of the same ints. A search that finds nothing looks
// at every item once, as the sum does: both should run at the speed of memory.
//
//   search_sum              the sum: what one pass costs
//   search_all              `all` with a predicate that holds for every item
//   search_any              `any` with a predicate that holds for none
//   search_count            how many items satisfy a predicate: about half of them
//   search_min_by_key       the item with the least key, which an absolute value makes
//   search_position_middle  a position of the only item that satisfies a predicate, which stands in
//                           the middle: half of the memory, or less for a runtime that looks there
//                           first
//   search_position_late    the same for an item at 7/10, where no runtime looks first
//
// The size is the number of thousands; a sample is ten passes. OpenMP cannot leave a loop early:
// its page searches blocks of 8192 items, as a programmer would write it, and skips blocks once an
// item is found. None of the programs uses intrinsics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "harness.hpp"

namespace searches {

inline constexpr int passes = 10;
inline constexpr std::int32_t wanted = -7;  // no other item is negative
inline constexpr std::int32_t least = 500;  // the item with the least key

// Not plain functions: code that gets a function pointer calls it for every element.

inline constexpr auto is_in_bounds = [](std::int32_t x) { return x < 1000; };
inline constexpr auto is_out_of_bounds = [](std::int32_t x) { return x >= 1000; };
inline constexpr auto is_large = [](std::int32_t x) { return x >= least; };
inline constexpr auto is_wanted = [](std::int32_t x) { return x == wanted; };
inline constexpr auto key = [](std::int32_t x) { return std::abs(x - least); };

/// The numbers 0 to 999 again and again; with a `position` in tenths, the wanted item there.
class input {
 public:
  explicit input(int size, std::size_t tenths = 0)
      : in(std::size_t{1000} * static_cast<std::size_t>(size)) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * 7 % 1000);
    if (tenths != 0) in[position_ = in.size() / 10 * tenths] = wanted;
  }

  /// Calls `search()` for each pass and counts how often it returns `expected`.
  template <class Search, class Answer>
  void run(Search search, Answer expected) {
    for (int pass = 0; pass < passes; ++pass) {
      bench::touch(in);
      right_ += search() == expected ? 1 : 0;
    }
  }
  std::int64_t sum() const { return static_cast<std::int64_t>(in.size()) / 1000 * 499'500; }
  std::size_t count() const { return in.size() / 2; }
  std::size_t position() const { return position_; }
  bool correct() const { return right_ == passes; }

  std::vector<std::int32_t> in;

 private:
  std::size_t position_ = 0;
  int right_ = 0;
};
struct input_with_middle : input {
  explicit input_with_middle(int size) : input(size, 5) {}
};
struct input_with_late : input {
  explicit input_with_late(int size) : input(size, 7) {}
};

constexpr bench::problem problem(const char* name) {
  return {name, {.full = 10'000, .quick = 10'000, .tiny = 10}, "pass", [](int) {
            return static_cast<double>(passes);
          }};
}

/// Returns a page of all of them. `Searches` has a function for each, which takes the runtime and
/// the items.
template <class Runtime, class Searches>
bench::page<Runtime> page_of() {
  bench::page<Runtime> page;
  page.template timed_on<input>(
          problem("search_sum"),
          [](Runtime& r, input& i) { i.run([&] { return Searches::sum(r, i.in); }, i.sum()); })
      .template timed_on<input>(
          problem("search_all"),
          [](Runtime& r, input& i) { i.run([&] { return Searches::all(r, i.in); }, true); })
      .template timed_on<input>(
          problem("search_any"),
          [](Runtime& r, input& i) { i.run([&] { return Searches::any(r, i.in); }, false); })
      .template timed_on<input>(
          problem("search_count"),
          [](Runtime& r, input& i) { i.run([&] { return Searches::count(r, i.in); }, i.count()); })
      .template timed_on<input>(
          problem("search_min_by_key"),
          [](Runtime& r, input& i) { i.run([&] { return Searches::min_by_key(r, i.in); }, least); })
      .template timed_on<input_with_middle>(problem("search_position_middle"),
                                            [](Runtime& r, input& i) {
                                              i.run([&] { return Searches::position(r, i.in); },
                                                    i.position());
                                            })
      .template timed_on<input_with_late>(
          problem("search_position_late"), [](Runtime& r, input& i) {
            i.run([&] { return Searches::position(r, i.in); }, i.position());
          });
  return page;
}

}  // namespace searches

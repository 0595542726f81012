// Sums over items that do not lie in one row.
//
//   nested_chunks   the sum of the largest items of the chunks of 1000 items
//   nested_halves   the sum of a chain of two ranges
//   nested_flatten  the sum of the items of 1000 vectors of 10 000 items
//
// The size is the number of thousand items in all (nested_flatten: a tenth as many vectors); a
// sample is ten passes. A pass reads every item once, so memory limits it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness.hpp"

namespace nested {

inline constexpr int passes = 10;
inline constexpr std::size_t chunk = 1000;

using items = std::vector<std::int64_t>;
using vectors = std::vector<items>;

inline items some_items(std::size_t n) {
  items made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = static_cast<std::int64_t>(i * 7 % 1000);
  return made;
}
/// The sum of `thousands` times the numbers 0 to 999.
inline std::int64_t sum_of(std::size_t thousands) {
  return static_cast<std::int64_t>(thousands) * 499'500;
}

inline constexpr auto largest = [](std::span<const std::int64_t> of) {
  std::int64_t found = of.front();
  for (const std::int64_t x : of) found = std::max(found, x);
  return found;
};

/// Calls `pass()` several times; correct() if each returned `expected`.
class repeated {
 public:
  explicit repeated(std::int64_t expected) : expected_(expected) {}
  template <class Pass>
  void run(Pass pass) {
    for (int i = 0; i < passes; ++i) {
      bench::touch(*this);
      right_ += pass() == expected_ ? 1 : 0;
    }
  }
  bool correct() const { return right_ == passes; }

 private:
  std::int64_t expected_;
  int right_ = 0;
};

struct chunks_input : repeated {
  explicit chunks_input(int thousands)
      : repeated(std::int64_t{999} * thousands),
        in(some_items(chunk * static_cast<std::size_t>(thousands))) {}
  items in;
};
struct halves_input : repeated {
  explicit halves_input(int thousands)
      : repeated(sum_of(static_cast<std::size_t>(thousands) / 2 * 2)),
        front(some_items(chunk * (static_cast<std::size_t>(thousands) / 2))),
        back(front) {}
  items front;
  items back;
};
struct flatten_input : repeated {
  explicit flatten_input(int thousands)
      : repeated(sum_of(static_cast<std::size_t>(thousands) / 10 * 10)),
        in(static_cast<std::size_t>(thousands) / 10, some_items(10 * chunk)) {}
  vectors in;
};

constexpr bench::problem problem(const char* name) {
  return {name, {.full = 10'000, .quick = 10'000, .tiny = 20}, "pass", [](int) {
            return static_cast<double>(passes);
          }};
}

/// Returns a page of all of them. `Sums` has a function for each, which takes the runtime.
template <class Runtime, class Sums>
bench::page<Runtime> page_of() {
  bench::page<Runtime> page;
  page.template timed_on<chunks_input>(
          problem("nested_chunks"),
          [](Runtime& r, chunks_input& i) { i.run([&] { return Sums::of_chunks(r, i.in); }); })
      .template timed_on<halves_input>(problem("nested_halves"),
                                       [](Runtime& r, halves_input& i) {
                                         i.run([&] { return Sums::of_halves(r, i.front, i.back); });
                                       })
      .template timed_on<flatten_input>(
          problem("nested_flatten"),
          [](Runtime& r, flatten_input& i) { i.run([&] { return Sums::of_vectors(r, i.in); }); });
  return page;
}

}  // namespace nested

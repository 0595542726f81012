// Loops whose work is dealt to the workers before its cost is known: what does stealing gain? Every
// worker gets one contiguous range of the items.
//
//   loops_uneven  the cost of an item grows with its number, so the last range is the most
//                 expensive
//   loops_hot     one item in sixteen, all in the first range, costs 32 times as much
//   loops_idle    all items cost the same, but the first worker has them all
//
// `filch_no_stealing` and `threads` keep to the deal; `filch` starts from the same deal and steals;
// the others divide the loop in their own way. The size is the number of items.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness.hpp"

namespace loops {

enum class shape { uneven, hot, idle };

struct range {
  int first;
  int last;
};

struct loop {
  shape kind;
  int items;

  static constexpr int block = 16;  // items that are one task, where there are tasks

  /// Returns how many steps an item takes: about 2000 on average.
  int cost(int item) const {
    switch (kind) {
      case shape::uneven:
        return static_cast<int>(4000LL * item / items);
      case shape::hot:
        return item < items / 16 ? 22'000 : 700;
      case shape::idle:
        break;
    }
    return 2000;
  }

  /// Does the work of one item: a chain of steps that no compiler knows how to shorten. (Steps that
  /// only multiply and add do not suffice: LLVM does several of those at once.)
  std::uint64_t work(int item) const {
    std::uint64_t x = static_cast<std::uint64_t>(item) + 1;
    for (int step = cost(item); step > 0; --step) x = (x ^ (x >> 29)) * 6'364'136'223'846'793'005U;
    return x;
  }
  std::uint64_t work(range r) const {
    std::uint64_t sum = 0;
    for (int i = r.first; i < r.last; ++i) sum += work(i);
    return sum;
  }

  /// Returns the items that `worker` was dealt.
  range dealt_to(int worker, int workers) const {
    if (kind == shape::idle) return worker == 0 ? range{0, items} : range{0, 0};
    const auto border = [&](int w) { return static_cast<int>(std::int64_t{items} * w / workers); };
    return {border(worker), border(worker + 1)};
  }
  range all() const { return {0, items}; }
};

/// Calls `f` with every block of `r`.
template <class F>
void for_blocks(range r, F f) {
  for (int i = r.first; i < r.last; i += loop::block)
    f(range{i, std::min(i + loop::block, r.last)});
}

template <shape Kind>
std::uint64_t answer(int items) {
  const loop l{Kind, items};
  return l.work(l.all());
}

inline constexpr bench::sizes size{.full = 65536, .quick = 8192, .tiny = 64};
template <shape Kind>
inline constexpr bench::problem problem{Kind == shape::uneven ? "loops_uneven"
                                        : Kind == shape::hot  ? "loops_hot"
                                                              : "loops_idle",
                                        size};

/// Returns a page of all three, given `sum(runtime, loop)`.
template <class Runtime, class Sum>
bench::page<Runtime> page_of(Sum sum) {
  bench::page<Runtime> page;
  const auto add = [&]<shape Kind>() {
    page.timed(problem<Kind>, answer<Kind>, [sum](Runtime& runtime, int items) {
      return sum(runtime, loop{Kind, items});
    });
  };
  add.template operator()<shape::uneven>();
  add.template operator()<shape::hot>();
  add.template operator()<shape::idle>();
  return page;
}

}  // namespace loops

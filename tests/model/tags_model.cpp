// Every schedule of small games with a deque of tagged items. A thread in a region gets only items
// of that region, and decides that before it claims them, while the owner pushes, pops, changes
// tags and lets the ring grow. Each item is taken exactly once.
//
// The items are numbers: before its claim a thief may touch the slot and nothing else.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/ring.hpp"
#include "scenario.hpp"

namespace {

using filch::steal_status;
using region = std::uint64_t;
using item = filch::detail::tagged<int, region>;

auto of(region r) {
  return [r](const item& i) { return i.tag == r; };
}

/// A deque with `Capacity` slots, and with one item of each region in `Before`.
template <std::size_t Capacity, region... Before>
class world : public model::game {
 public:
  world() { (push(Before), ...); }

  void push(region r) {
    ++pushed_;
    regions_.at(pushed_).at(r) = true;
    d_.push({static_cast<int>(pushed_), r});
  }
  void pop() {
    if (item i{}; d_.pop(i)) take(i);
  }
  /// newest_first::run. If none was popped yet, the index of an item is its number minus 1.
  void pop_since(std::size_t first) {
    item i{};
    if (!d_.pop_since(first, i)) return;
    model::check(static_cast<std::size_t>(i.word) > first, "took an item from before");
    take(i);
  }
  /// job_finder::pop, in a region
  void pop_of(region r) {
    if (item i{}; d_.pop_if(i, of(r))) take_of(r, i);
  }
  /// region_stack::end: what is left of the region belongs to the outer one.
  void end(region r, region outer) {
    d_.change_newest([&](item& i) {
      if (i.tag != r) return false;
      regions_.at(static_cast<std::size_t>(i.word)).at(outer) = true;
      i.tag = outer;
      return true;
    });
    ended_.at(r) = true;
    model::check(!d_.newest_is(of(r)), "the newest item is in a region that has ended");
  }
  /// thief::steal_of_region, until it takes an item or finds none.
  void steal_of(region r) {
    for (;;) {
      item i{};
      const steal_status status = d_.steal_if(i, of(r));
      if (status == steal_status::taken) take_of(r, i);
      if (status != steal_status::lost) return;
    }
  }
  /// worker::has_work_for_thief: a look that claims nothing.
  void look() {
    item i{};
    const steal_status status = d_.steal_if(i, [](const item&) { return false; });
    model::check(status == steal_status::empty, "a thief took what it did not want");
  }

  void finish() override {
    for (item i{}; d_.pop(i);) {
      take(i);
      model::check(!ended_.at(i.tag), "an item is left in a region that has ended");
    }
    for (std::size_t i = 1; i <= pushed_; ++i)
      model::check(taken_.at(i), "item " + std::to_string(i) + " is lost");
    model::check(!d_.newest_is([](const item&) { return true; }), "an empty deque has a newest");
  }

 private:
  void take(const item& i) {
    const auto number = static_cast<std::size_t>(i.word);
    model::check(number >= 1 && number <= pushed_, "took what was never pushed");
    model::check(!taken_.at(number), "item " + std::to_string(number) + " was taken twice");
    model::check(i.tag < 3 && regions_.at(number).at(i.tag), "an item has another one's tag");
    taken_.at(number) = true;
  }
  void take_of(region r, const item& i) {
    model::check(i.tag == r, "took an item of another region");
    take(i);
  }

  filch::detail::chase_lev<item> d_{Capacity};
  std::size_t pushed_ = 0;
  // Plain, because the explorer runs one thread at a time.
  std::array<bool, 3> ended_{};
  std::array<std::array<bool, 3>, 8> regions_{};  // for each item: where it has ever been
  std::array<bool, 8> taken_{};
};

model::scenario_list scenarios() {
  using model::play;
  return model::all_of({
      play("other_region", 3,
           model::script<world<2, 1>>{[](auto& w) { w.push(2), w.pop_of(1), w.pop_of(2); },
                                      [](auto& w) { w.steal_of(2), w.steal_of(1); }}),
      play("slots_reused", 3,
           model::script<world<2, 1, 2>>{[](auto& w) { w.pop(), w.pop(), w.push(2), w.push(1); },
                                         [](auto& w) { w.steal_of(1), w.steal_of(2); }}),
      play("growth", 3,
           model::script<world<1, 1>>{[](auto& w) { w.push(2), w.push(1), w.pop_of(1); },
                                      [](auto& w) { w.steal_of(1), w.steal_of(2); }}),
      play("since", 3,
           model::script<world<4, 0, 0>>{
               [](auto& w) { w.push(0), w.pop_since(1), w.pop_since(1), w.pop_since(1), w.pop(); },
               [](auto& w) { w.steal_of(0), w.steal_of(0), w.steal_of(0); }}),
      play("end_of_region", 3,
           model::script<world<4, 0, 1>>{[](auto& w) { w.push(1), w.end(1, 0), w.pop_of(0); },
                                         [](auto& w) { w.steal_of(1), w.steal_of(0); }}),
      play("end_and_growth", 3,
           model::script<world<2, 1, 1>>{[](auto& w) { w.end(1, 2), w.push(0), w.pop(); },
                                         [](auto& w) { w.steal_of(1), w.steal_of(2); }}),
      play("two_thieves", 2,
           model::script<world<2, 1, 2>>{[](auto& w) { w.end(2, 0), w.pop_of(0), w.push(1); },
                                         [](auto& w) { w.steal_of(1); },
                                         [](auto& w) { w.look(), w.steal_of(0); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }

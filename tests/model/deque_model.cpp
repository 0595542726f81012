// Every schedule of small games with one deque: an owner and one or two thieves. Each item is taken
// exactly once and as it was pushed, no ring is used after it was freed, and none is leaked.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "explorer/runner.hpp"
#include "filch/deque.hpp"

namespace {

using filch::detail::first_index;

/// A deque of items 1, 2, ... and the threads that took them. The explorer runs one thread at a
/// time, so the bookkeeping is plain.
class deque_game : public model::game {
 public:
  explicit deque_game(std::size_t capacity, first_index first = {}) : d(capacity, first) {}

  void finish() override {
    model::check(!drained || d.empty_hint(), "a thief got 'empty' while there were items");
    while (auto item = d.pop()) take(*item);
    for (int i = 1; i <= pushed; ++i)
      model::check(taken.at(static_cast<std::size_t>(i)) == 1,
                   "item " + std::to_string(i) + " is lost");
  }

 protected:
  void push(int count = 1) {
    for (int i = 0; i < count; ++i) d.push(++pushed);
  }
  void pop(int count = 1) {
    for (int i = 0; i < count; ++i)
      if (auto item = d.pop()) take(*item);
  }
  void steal(int count = 1) {
    int newest = 0;
    for (int i = 0; i < count; ++i)
      if (auto s = d.steal()) {
        model::check(s.item > newest, "a thief did not get the oldest item first");
        newest = s.item;
        take(s.item);
      }
  }
  /// A thief that goes on until it finds the deque empty.
  void drain() {
    for (;;) {
      const auto s = d.steal();
      if (s.status == filch::steal_status::empty) break;
      if (s) take(s.item);
    }
    drained = true;
  }
  void take(int item) {
    model::check(item >= 1 && item <= pushed,
                 "took " + std::to_string(item) + ", which was never pushed");
    model::check(++taken.at(static_cast<std::size_t>(item)) == 1,
                 "item " + std::to_string(item) + " was taken twice");
  }

  filch::deque<int> d;
  int pushed = 0;
  bool drained = false;
  std::array<int, 32> taken{};
};

/// A game written as one lambda per thread.
template <class... Bodies>
class scripted : public deque_game {
 public:
  scripted(std::size_t capacity, first_index first, int beforehand, int drop, Bodies... bodies)
      : deque_game(capacity, first) {
    push(beforehand);
    pop(drop);
    (bodies_.emplace_back(bodies), ...);
  }
  void thread(int id) override { bodies_.at(static_cast<std::size_t>(id))(*this); }

  using deque_game::drain;
  using deque_game::pop;
  using deque_game::push;
  using deque_game::steal;

 private:
  std::vector<std::function<void(scripted&)>> bodies_;
};

struct setting {
  std::size_t capacity = 4;
  first_index first{};
  int beforehand = 0;  // pushed before the threads start
  int drop = 0;        // and then popped again
};

template <class... Bodies>
model::scenario play(const char* name, int preemptions, setting s, Bodies... bodies) {
  return {name, static_cast<int>(sizeof...(bodies)), preemptions, [=] {
            return std::make_unique<scripted<Bodies...>>(s.capacity, s.first, s.beforehand, s.drop,
                                                         bodies...);
          }};
}

// ---- batches -----------------------------------------------------------------------------------

/// The owner pops while one thief takes a batch and perhaps another takes single items.
class batch_game : public deque_game {
 public:
  batch_game(int items, bool hand_one_back, std::size_t mine_capacity)
      : deque_game(4), hand_one_back_(hand_one_back), mine_(mine_capacity) {
    push(items);
  }
  void thread(int id) override {
    if (id == 0) {
      pop(2);
    } else if (id == 1) {
      batch();
    } else {
      steal();
    }
  }

 private:
  void batch() {
    if (hand_one_back_) {
      if (auto s = d.steal_one_into(mine_)) take(s.item);
    } else {
      d.steal_into(mine_);
    }
    int newest = 0;
    while (auto s = mine_.steal()) {
      model::check(s.item > newest, "a batch does not keep the victim's order");
      newest = s.item;
      take(s.item);
    }
  }

  bool hand_one_back_;
  filch::deque<int> mine_;
};

// ---- other functions for the scheduler ----------------------------------------------------------

/// Indices tell the owner where its pushes went, whatever thieves do meanwhile.
class index_game : public model::game {
 public:
  void thread(int id) override {
    if (id == 0) {
      const auto first = d_.next_index();
      d_.push(1);
      d_.push(2);
      model::check(d_.next_index() == first + 2, "two pushes did not take two slots");
      model::check(d_.newest_is([](int item) { return item == 2; }), "the newest is another one");
      d_.change_newest([](int& item) { return item == 2; });
      const auto newest = [](int item) { return item == 2; };
      if (int item = 0; d_.pop_if(item, newest)) ++taken_;
      const auto after = d_.next_index();  // a last item leaves its slot behind
      model::check(after == first + 1 || after == first + 2, "a pop moved the bottom too far");
    } else {
      if (int item = 0; d_.steal(item) == filch::steal_status::taken) ++taken_;
    }
  }
  void finish() override {
    for (int item = 0; d_.pop(item);) ++taken_;
    model::check(taken_ == 2, "an item is lost, or was taken twice");
  }

 private:
  filch::detail::chase_lev<int> d_{2};
  int taken_ = 0;
};

// ---- boxes -------------------------------------------------------------------------------------

/// An item that does not fit into a slot. Its content is checked for races.
struct parcel {
  explicit parcel(int n) : content(std::make_unique<filch::detail::var<int>>(n)) {}
  std::unique_ptr<filch::detail::var<int>> content;
};
static_assert(!filch::detail::fits_slot<parcel>);

class box_game : public model::game {
 public:
  void thread(int id) override {
    if (id == 0) {
      for (int i = 1; i <= 3; ++i) d_.push(parcel(i));
      if (auto p = d_.pop()) open(*p);
    } else {
      for (int i = 0; i < 2; ++i)
        if (auto s = d_.steal()) open(s.item);
    }
  }
  void finish() override {
    while (auto p = d_.pop()) open(*p);
    model::check(sum_ == 6, "a parcel is lost or was opened twice");
  }

 private:
  void open(const parcel& p) { sum_ += p.content->get(); }

  filch::deque<parcel> d_{1};
  int sum_ = 0;
};

std::vector<model::scenario> scenarios() {
  const auto one_steal = [](auto& g) { g.steal(); };
  const auto two_steals = [](auto& g) { g.steal(2); };
  constexpr first_index before_wrap{~std::uint64_t{1}};

  return {
      play(
          "last_item", 3, {.capacity = 2}, [](auto& g) { g.push(), g.pop(), g.push(), g.pop(); },
          two_steals),
      play(
          "two_steals", 3, {}, [](auto& g) { g.push(3), g.pop(2); }, two_steals),
      play(
          "pop_below_thief", 3, {.beforehand = 3}, [](auto& g) { g.pop(2), g.push(), g.pop(); },
          two_steals),
      play(
          "slots_reused", 3, {.capacity = 2, .beforehand = 2}, [](auto& g) { g.push(2), g.pop(); },
          two_steals),
      play(
          "growth_from_one", 3, {.capacity = 1}, [](auto& g) { g.push(3), g.pop(); }, two_steals),
      play(
          "index_wrap", 3, {.capacity = 1, .first = before_wrap},
          [](auto& g) { g.push(3), g.pop(2), g.push(); }, two_steals),
      play(
          "two_thieves", 2, {.beforehand = 1}, [](auto& g) { g.push(2), g.pop(2); }, two_steals,
          one_steal),
      play(
          "two_thieves_growth", 2, {.capacity = 1}, [](auto& g) { g.push(3), g.pop(2); },
          two_steals, one_steal),
      play(
          "last_item_two_thieves", 2, {.beforehand = 1},
          [](auto& g) { g.pop(), g.push(), g.pop(); }, one_steal, two_steals),
      play(
          "drain", 3, {.beforehand = 3}, [](auto& g) { g.drain(); }, one_steal),
      play(
          "shrink", 3, {.capacity = 1, .beforehand = 9, .drop = 6},
          [](auto& g) { g.pop(2), g.push(), g.pop(); }, two_steals),
      play(
          "shrink_two_thieves", 2, {.capacity = 1, .beforehand = 9, .drop = 6},
          [](auto& g) { g.pop(2), g.push(); }, two_steals, one_steal),
      {"indices", 2, 3, [] { return std::make_unique<index_game>(); }},
      {"batch", 2, 3, [] { return std::make_unique<batch_game>(4, false, 4); }},
      {"batch_one_back", 2, 3, [] { return std::make_unique<batch_game>(4, true, 1); }},
      {"batch_two_thieves", 3, 2, [] { return std::make_unique<batch_game>(3, false, 1); }},
      {"boxes", 2, 3, [] { return std::make_unique<box_game>(); }},
  };
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }

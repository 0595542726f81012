// Every schedule of small games with an inbox: threads put jobs in while the owner takes them out.
// Each job is taken once, complete, and in the order in which its thread put it in.
#include <array>
#include <cstddef>

#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/inbox.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::inbox;
using filch::detail::job;
using filch::detail::listed_job;
using filch::detail::var;
using filch::detail::yield;

class note final : public listed_job {
 public:
  note() noexcept : listed_job(&note::nothing) {}
  var<int> text{0};

 private:
  static void nothing(job&) noexcept {}
};

class inbox_world : public model::game {
 public:
  void put(int i) {
    note& n = notes_.at(static_cast<std::size_t>(i));
    n.text.set(i + 1);
    box_.put(&n);
  }
  /// The owner takes `count` notes. Notes with even and with odd numbers come from two threads.
  void take(int count) {
    std::array<int, 2> last{-1, -1};
    for (int taken = 0; taken < count; ++taken) {
      while (box_.empty()) yield();
      listed_job* const j = box_.take();
      model::check(j != nullptr, "it was not empty, but has nothing");
      const int i = static_cast<note*>(j)->text.get() - 1;
      int& before = last.at(static_cast<std::size_t>(i % 2));
      model::check(before < i, "taken twice, or out of order");
      before = i;
    }
    model::check(box_.empty() && !box_.has_rest(), "something is left");
  }

 private:
  inbox box_;
  std::array<note, 4> notes_;
};

using games = model::script<inbox_world>;

model::scenario_list scenarios() {
  using model::play;
  return model::all_of({
      play("one", 3, games{[](auto& w) { w.take(1); }, [](auto& w) { w.put(0); }}),
      play("in_order", 3, games{[](auto& w) { w.take(2); }, [](auto& w) { w.put(0), w.put(2); }}),
      play("two_putters", 2,
           games{[](auto& w) { w.take(3); }, [](auto& w) { w.put(0), w.put(2); },
                 [](auto& w) { w.put(1); }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }

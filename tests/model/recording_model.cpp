// Every schedule of small games about the end of a trace: threads write into their logs while
// another thread ends the trace, takes the logs, and begins the next trace.
//
// The header is the shipped one. Its use in recording.cpp is repeated here. Mutants change these
// lines too.
#include <cstdint>

#include "filch/detail/base/var.hpp"
#include "filch/detail/observe/log_gate.hpp"
#include "scenario.hpp"

namespace {

using filch::detail::atomic;
using filch::detail::heavy_fence;
using filch::detail::log_gate;
using filch::detail::var;
using filch::detail::yield;

constexpr std::uint32_t none = 0;
constexpr std::uint32_t first = 1;
constexpr std::uint32_t second = 2;

class world : public model::game {
 public:
  /// One event of trace `session`: record() of recording.cpp.
  void write(int log, std::uint32_t session) {
    if (!gate_[log].enter(current_, session)) return;
    log_[log].set(log_[log].get() + 1);
    gate_[log].leave();
  }
  /// end_recording(): afterwards the logs belong to this thread.
  void end() {
    current_.store(none, std::memory_order_relaxed);
    heavy_fence();  // E2
    for (int i = 0; i < 2; ++i) {
      while (!gate_[i].is_out()) yield();
      taken_ += log_[i].get();
      log_[i].set(0);
    }
  }
  /// The next trace may begin at once. Events of the first must not get into it.
  void begin_next() { current_.store(second, std::memory_order_relaxed); }
  /// No thread writes any more, so the log is as it was when it was taken.
  void look() {
    for (int i = 0; i < 2; ++i) model::check(log_[i].get() == 0, "written after it was taken");
  }

  void finish() override {
    model::check(taken_ >= 0 && taken_ <= 2, "more events than there were");
    look();
  }

 private:
  atomic<std::uint32_t> current_{first};
  log_gate gate_[2];
  var<int> log_[2];
  int taken_ = 0;
};

model::scenario_list scenarios() {
  using model::both_fences;
  using script = model::script<world>;
  return model::all_of({
      both_fences("one_event", 3,
                  script{[](auto& w) { w.write(0, first); },
                         [](auto& w) {
                           w.end();
                           w.look();
                         }}),
      both_fences("two_events", 3,
                  script{[](auto& w) {
                           w.write(0, first);
                           w.write(0, first);
                         },
                         [](auto& w) { w.end(); }}),
      both_fences("two_writers", 2,
                  script{[](auto& w) { w.write(0, first); }, [](auto& w) { w.write(1, first); },
                         [](auto& w) { w.end(); }}),
      both_fences("next_trace", 3,
                  script{[](auto& w) { w.write(0, first); },
                         [](auto& w) {
                           w.end();
                           w.begin_next();
                           w.look();
                         }}),
  });
}

}  // namespace

int main(int argc, char** argv) { return model::run(argc, argv, scenarios()); }

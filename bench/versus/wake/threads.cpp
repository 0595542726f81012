// One thread that sleeps on an atomic: the price of the system itself.
#include "runtime/threads.hpp"

#include <functional>
#include <thread>

#include "problem.hpp"

namespace {

double median(int count) {
  std::atomic<int> given{0};
  std::function<void()> task;
  std::jthread sleeper([&] {
    for (int seen = 0; seen < count; ++seen) {
      given.wait(seen);
      task();
    }
  });
  return wake::median(count, [&](auto next) {
    task = next;
    ++given;
    given.notify_one();
  });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_threads>()
      .measured(wake::from_idle, [](bench::on_threads&, int count) { return median(count); })
      .run(argc, argv);
}

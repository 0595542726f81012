// Tasks that block: spare threads stand in for their workers, so other tasks go on.
#include <cstdio>
#include <future>

#include "filch/filch.hpp"

int main() {
  filch::pool pool({.threads = 2});
  std::promise<int> arrives_late;
  std::shared_future<int> message = arrives_late.get_future().share();

  // Both workers wait for something that is not a task. blocking() tells the pool.
  filch::future<int> first =
      pool.submit([=] { return filch::blocking([&] { return message.get(); }); });
  filch::future<int> second =
      pool.submit([=] { return filch::blocking([&] { return message.get(); }); });

  // The pool has no free worker left, but a spare runs this task.
  const int sum = pool.submit([] {
                        const auto [a, b] = filch::join([] { return 40; }, [] { return 2; });
                        return a + b;
                      })
                      .get();
  std::printf("while both workers were blocked: %d\n", sum);

  arrives_late.set_value(7);
  const int both = first.get() + second.get();
  std::printf("and then: %d\n", both);
  return sum == 42 && both == 14 ? 0 : 1;
}

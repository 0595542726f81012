// A worker spawns empty tasks into a group and waits for them: the price of a task that is not a
// branch of a join.
//
//   scope_spawn       all of them into one group, which touches new memory all the time
//   scope_spawn_1000  a group for every thousand, one after the other: memory is warm
//
// The size is the number of tasks.
#pragma once

#include "tasks.hpp"

namespace scope_spawn {

inline constexpr int group = 1000;

constexpr bench::problem problem(const char* name) {
  return {name, {.full = 5'000'000, .quick = 1'000'000, .tiny = group}, "task", [](int size) {
            return static_cast<double>(size);
          }};
}
inline constexpr bench::problem in_one_group = problem("scope_spawn");
inline constexpr bench::problem in_small_groups = problem("scope_spawn_1000");

/// Returns a page of both. `spawn(runtime, n, task)` is called inside of the runtime and returns
/// when n tasks have run.
template <class Runtime, class Spawn>
bench::page<Runtime> page_of(Spawn spawn) {
  bench::page<Runtime> page;
  page.measured(in_one_group,
                [spawn](Runtime& runtime, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    runtime.run([&] { spawn(runtime, n, task); });
                  });
                })
      .measured(in_small_groups, [spawn](Runtime& runtime, int count) {
        return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
          runtime.run([&] {
            for (int left = n; left > 0; left -= group)
              spawn(runtime, left < group ? left : group, task);
          });
        });
      });
  return page;
}

}  // namespace scope_spawn

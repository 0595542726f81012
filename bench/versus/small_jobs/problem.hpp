// Jobs of about 100 ns, 200 ns and 1 us, all alike and known from the start: does handing them out
// cost more than it gains? Compare with the plain loop (`serial`): the column "of serial" has to
// stay below 1 as soon as there is a second worker.
//
//   small_jobs_scope_*  a task each, a group for every thousand
//   small_jobs_join_*   the range is halved until a branch is a single job
//
// The size is the number of jobs. A job is a number of steps and not a time, so that no program
// spends it on reading a clock; `serial` shows how long it takes on this machine. It keeps the
// multiplier busy all the time, so that the plain loop cannot run two jobs at once inside of one
// core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness.hpp"

namespace small_jobs {

inline constexpr int group = 1000;

/// Four chains of multiplications, side by side.
inline std::uint64_t work(std::uint64_t seed, int steps) {
  constexpr std::uint64_t odd = 6364136223846793005u;
  std::uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;
  for (int i = 0; i < steps; ++i) {
    a = a * odd + 1;
    b = b * odd + 3;
    c = c * odd + 5;
    d = d * odd + 7;
    asm volatile(""
                 : "+r"(a), "+r"(b), "+r"(c), "+r"(d));  // not computed in advance, or in vectors
  }
  return a ^ b ^ c ^ d;
}

/// The jobs and their results.
template <int Steps>
class jobs {
 public:
  explicit jobs(int count) : results_(static_cast<std::size_t>(count)) {}
  int count() const { return static_cast<int>(results_.size()); }
  void run(int job) { results_[static_cast<std::size_t>(job)] = expected(job); }
  bool correct() const {
    for (int job = 0; job < count(); ++job)
      if (results_[static_cast<std::size_t>(job)] != expected(job)) return false;
    return true;
  }

 private:
  static std::uint64_t expected(int job) { return work(static_cast<std::uint64_t>(job), Steps); }

  std::vector<std::uint64_t> results_;
};

/// Calls `each_group(first, last)` for one group of a thousand jobs after the other.
template <class EachGroup>
void in_groups(int count, EachGroup each_group) {
  for (int first = 0; first < count; first += group)
    each_group(first, first + group < count ? first + group : count);
}

constexpr bench::problem problem(const char* name, int count) {
  return {name, {.full = count, .quick = count / 10, .tiny = group}, "job", [](int size) {
            return static_cast<double>(size);
          }};
}

/// Adds both problems with jobs of `Steps` steps. `Ways` has in_scopes(jobs) and by_join(jobs,
/// first, last).
template <int Steps, class Ways, class Runtime>
void add(bench::page<Runtime>& page, const char* scope_name, const char* join_name, int count) {
  using these = jobs<Steps>;
  page.template timed_on<these>(problem(scope_name, count), [](these& j) { Ways::in_scopes(j); })
      .template timed_on<these>(problem(join_name, count),
                                [](these& j) { Ways::by_join(j, 0, j.count()); });
}

/// Returns a page of all of them.
template <class Runtime, class Ways>
bench::page<Runtime> page_of() {
  bench::page<Runtime> page;
  add<80, Ways>(page, "small_jobs_scope_100ns", "small_jobs_join_100ns", 2'000'000);
  add<160, Ways>(page, "small_jobs_scope_200ns", "small_jobs_join_200ns", 1'000'000);
  add<800, Ways>(page, "small_jobs_scope_1us", "small_jobs_join_1us", 200'000);
  return page;
}

}  // namespace small_jobs

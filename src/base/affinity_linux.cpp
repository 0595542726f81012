// sched_getaffinity(2) and sched_setaffinity(2), with sets as large as the kernel needs.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "filch/detail/base/affinity.hpp"

namespace filch::detail {
namespace {

constexpr std::size_t most_cpus = std::size_t{1} << 20;  // far beyond any kernel's; ends the search

/// Several of the fixed-size sets in a row, as many as it takes.
using cpu_sets = std::vector<cpu_set_t>;

std::size_t bytes(const cpu_sets& sets) { return sets.size() * sizeof(cpu_set_t); }

std::vector<std::size_t> cpus_of(pid_t thread) {
  cpu_sets sets(1);
  // The kernel does not say how large its sets are, only that this one is too small.
  while (sched_getaffinity(thread, bytes(sets), sets.data()) != 0) {
    if (errno != EINVAL || sets.size() * CPU_SETSIZE >= most_cpus) return {};
    sets.assign(sets.size() * 2, cpu_set_t{});
  }
  std::vector<std::size_t> cpus;
  for (std::size_t cpu = 0; cpu < sets.size() * CPU_SETSIZE; ++cpu)
    if (CPU_ISSET_S(cpu, bytes(sets), sets.data())) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

std::vector<std::size_t> process_cpus() {
  std::vector<std::size_t> cpus = cpus_of(getpid());
  return cpus.empty() ? this_thread_cpus() : cpus;  // a main thread that has ended may be unknown
}

std::vector<std::size_t> this_thread_cpus() { return cpus_of(0); }

bool set_this_thread_cpus(std::span<const std::size_t> cpus) noexcept {
  if (cpus.empty()) return false;
  const std::size_t highest = *std::max_element(cpus.begin(), cpus.end());
  if (highest >= most_cpus) return false;
  cpu_set_t* const set = CPU_ALLOC(highest + 1);  // no exception: this runs in threads of a pool
  if (set == nullptr) return false;
  const std::size_t size = CPU_ALLOC_SIZE(highest + 1);
  CPU_ZERO_S(size, set);
  for (const std::size_t cpu : cpus) CPU_SET_S(cpu, size, set);
  const bool done = sched_setaffinity(0, size, set) == 0;
  CPU_FREE(set);
  return done;
}

}  // namespace filch::detail

// How many threads a pool has by default: one for each CPU that it may keep busy.
//
//   FILCH_NUM_THREADS, if set and not empty: exactly that, also more than there are CPUs
//   else the smaller of
//     the affinity mask        which CPUs the process may use (taskset, docker --cpuset-cpus)
//     the CPU quota, if any    how much time on them          (cgroups, docker --cpus)
//
// One thread more than the quota pays for would not make anything faster: the system would stop all
// threads of the cgroup sooner in each period, most likely while a job that others wait for is half
// done. A fraction of a CPU counts as one: with too few threads, paid time would stay unused.
//
// The implementation is src/base/cpu_count_<system>.cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace filch::detail {

/// The most threads that a program may ask for. A larger number is a typing error, not a machine.
inline constexpr std::size_t most_threads = 65536;

/// Why a pool has its number of threads: every input, and the outcome.
struct thread_count_reason {
  std::size_t threads = 1;                 ///< The outcome, at least 1.
  std::optional<std::size_t> environment;  ///< FILCH_NUM_THREADS, which outranks the others.
  std::size_t affinity = 1;                ///< CPUs that the process may use.
  std::optional<std::size_t> quota;        ///< CPUs that its quota pays for, rounded up.
};

/// How many threads a pool has by default. Any thread, as long as none changes the environment.
///
/// \throws usage_error if FILCH_NUM_THREADS is not a number from 1 to `most_threads`.
[[nodiscard]] std::size_t default_thread_count();

/// The same, with the reason: for tools that explain. `environment` is the value of
/// FILCH_NUM_THREADS, or null; for `root` see cgroup_cpu_limit(). Any thread.
///
/// \throws usage_error like threads_from_environment().
[[nodiscard]] thread_count_reason explain_thread_count(const char* environment,
                                                       const std::filesystem::path& root = "/");

/// What FILCH_NUM_THREADS asks for, given its value: nothing if that is null or empty. Any thread.
///
/// \throws usage_error if it is anything but a decimal number from 1 to `most_threads`: digits
/// only,
///     no sign, no spaces. A typing error must not become a slow program.
[[nodiscard]] std::optional<std::size_t> threads_from_environment(const char* value);

/// How many CPUs the process may use, at least 1. Any thread.
[[nodiscard]] std::size_t affinity_cpu_count();

/// How many CPUs the quota of the process pays for, rounded up and so at least 1; nothing if there
/// is no quota. The tightest quota counts, of the process's cgroup and of all its ancestors that
/// are visible here, in cgroups of version 2 and of version 1 alike. Any thread.
///
/// Reads proc/self/cgroup, proc/self/mountinfo and the files of the cgroups below `root`, so that
/// tests can supply their own. A file that is missing or makes no sense sets no limit.
[[nodiscard]] std::optional<std::size_t> cgroup_cpu_limit(const std::filesystem::path& root = "/");

}  // namespace filch::detail

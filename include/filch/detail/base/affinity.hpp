// Which CPUs threads may run on. CPUs have the numbers that the system gives them; there may be
// gaps, and more than 1024.
//
// The CPUs of the process are those of its main thread: taskset, a batch system or a container has
// set them, and a thread that never asks for others keeps them.
//
// The implementation is src/base/affinity_<system>.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace filch::detail {

/// The CPUs the process may use, in ascending order; empty if the system does not tell. Any thread.
[[nodiscard]] std::vector<std::size_t> process_cpus();

/// The CPUs the calling thread may use, in ascending order; empty if the system does not tell. Any
/// thread.
[[nodiscard]] std::vector<std::size_t> this_thread_cpus();

/// Confines the calling thread to these CPUs. False if the system refuses (none of them exists or
/// may be used, or there is no memory); then nothing has changed. Any thread.
bool set_this_thread_cpus(std::span<const std::size_t> cpus) noexcept;

}  // namespace filch::detail

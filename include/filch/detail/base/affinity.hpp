// Which CPUs threads may run on. CPUs have the numbers that the system gives them; there may be
// gaps, and more than 1024.
//
// "The process's" means that of the main thread: it is what taskset, a batch system or a container
// has set, and what a thread keeps that never asks for anything else.
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

/// Confines the calling thread to these CPUs. False if the system refuses (none of them exists, or
/// may be used; no memory); then nothing has changed. Any thread.
bool set_this_thread_cpus(std::span<const std::size_t> cpus) noexcept;

}  // namespace filch::detail

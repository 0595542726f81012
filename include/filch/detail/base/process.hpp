// Which process this is. fork() copies the memory of all threads but only one of the threads: in
// the child no thread finishes what the others had begun.
//
// The implementation is src/base/process_<system>.cpp.
#pragma once

#include "filch/detail/base/config.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace filch::detail {

/// How many forks lie between the process that started the program and this one. Counted from the
/// first call of observe_forks() on. Always visible: a program and a shared libfilch must share it.
[[gnu::visibility("default")]] FILCH_ONE_FOR_ALL constinit std::atomic<std::uint32_t> forks_so_far;

using fork_handler = void (*)() noexcept;

/// Calls `in_child` in every child that fork() makes from now on, on its only thread, before fork()
/// returns there. Only one function can be named; the first one stays. Any thread.
///
/// It holds no lock while the process forks, so fork() neither waits for filch nor hangs because of
/// it; `in_child` has to make locks new that other threads held. vfork() and posix_spawn() call
/// nothing, and need not: their child only starts another program. A bare system call, and _Fork()
/// of glibc, call nothing either: filch does not notice those.
///
/// \return false if there is no memory for it. The next call tries again.
[[nodiscard]] bool observe_forks(fork_handler in_child) noexcept;

/// The number by which the system and other processes know this process. Any thread.
std::uint64_t process_id() noexcept;

/// A number that distinguishes the process `pid` from earlier ones with the same pid. It is made of
/// the time at which the process began, and of the boot; exec changes neither. 0 if there is no
/// such process, or the system does not tell. Any thread.
std::uint64_t process_mark(std::uint64_t pid) noexcept;

/// The name of the program that this process runs, without folders. Any thread.
std::string_view program_name() noexcept;

/// Remembers in which process this object was made.
class birthplace {
 public:
  /// Is it this process, and not one that this process was forked from? Any thread; one load.
  bool is_here() const noexcept { return forks_ == now(); }

 private:
  static std::uint32_t now() noexcept {
    return forks_so_far.load(std::memory_order_relaxed);  // orders nothing: it was written by fork
  }
  std::uint32_t forks_ = now();
};

}  // namespace filch::detail

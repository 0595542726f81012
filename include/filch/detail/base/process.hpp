// Which process this is. fork() copies the memory of all threads but only one of the threads: in
// the child nobody stands behind what the others had begun.
//
// The implementation is src/base/process_<system>.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace filch::detail {

/// How many forks lie between the process that started the program and this one. Counted once
/// watch_forks() was called. Always visible: a program and a shared libfilch must share it.
[[gnu::visibility("default")]] inline constinit std::atomic<std::uint32_t> forks_so_far{0};

using fork_handler = void (*)() noexcept;

/// Calls `in_child` in every child that fork() makes from now on, on its only thread, before fork()
/// returns there. Only one function can be named; the first one stays. Any thread.
///
/// Holds no lock while the process forks, so fork() neither waits for filch nor hangs because of
/// it; what other threads had locked is for `in_child` to make new. vfork() and posix_spawn() call
/// nothing, and need not: their child only starts another program. Nor does a bare system call, or
/// _Fork() of glibc: filch does not notice those.
///
/// \return false if there is no memory for it. The next call tries again.
[[nodiscard]] bool watch_forks(fork_handler in_child) noexcept;

/// Its number, by which the system and other processes know it. Any thread.
std::uint64_t process_id() noexcept;

/// A number that tells a process from every other that has had its number: of when it began, and of
/// the boot; exec changes neither. 0 if there is none of that number, or the system does not tell.
/// Any thread.
std::uint64_t process_mark(std::uint64_t pid) noexcept;

/// The name of the program that it runs, without folders. Any thread.
std::string_view program_name() noexcept;

/// Remembers in which process it was made.
class birthplace {
 public:
  /// Is that this process, and not one it was forked from? Any thread; one load.
  bool is_here() const noexcept { return forks_ == now(); }

 private:
  static std::uint32_t now() noexcept {
    return forks_so_far.load(std::memory_order_relaxed);  // orders nothing: it was written by fork
  }
  std::uint32_t forks_ = now();
};

}  // namespace filch::detail

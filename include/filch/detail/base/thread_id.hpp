// Numbers and names of threads, for messages. Header-only, since the deque links to nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <functional>
#include <thread>
#endif

namespace filch::detail {

/// A number for the calling thread, never 0: on Linux the one that gdb, top and /proc show. Any
/// thread; a plain thread-local read after the first call.
///
/// Unique among running threads on Linux (elsewhere two could share one). The system uses it again
/// after the thread has ended. After fork() the child keeps the number of the thread that called
/// it: what that thread owned stays its own.
inline std::uint64_t this_thread_id() noexcept {
  static constinit thread_local std::uint64_t id = 0;
  if (id == 0) [[unlikely]] {
#if defined(__linux__)
    id = static_cast<std::uint64_t>(syscall(SYS_gettid));
#else
    id = std::uint64_t{std::hash<std::thread::id>{}(std::this_thread::get_id())};
    if (id == 0) id = 1;
#endif
  }
  return id;
}

/// Text of a fixed size, so that a failing program need not allocate to say why.
using thread_name_text = std::array<char, 32>;

/// The name of the running thread with that number; "" if it has ended, or the system does not know
/// names. The name may be stale when this returns. Any thread; slow.
inline thread_name_text thread_name([[maybe_unused]] std::uint64_t id) noexcept {
  thread_name_text name{};
#if defined(__linux__)
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%llu/comm",
                static_cast<unsigned long long>(id));
  if (std::FILE* file = std::fopen(path.data(), "re")) {
    const std::size_t length = std::fread(name.data(), 1, name.size() - 1, file);
    std::fclose(file);
    if (length != 0 && name[length - 1] == '\n') name[length - 1] = '\0';
  }
#endif
  return name;
}

}  // namespace filch::detail

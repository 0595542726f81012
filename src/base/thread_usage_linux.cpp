// proc(5), pthread_getcpuclockid(3).
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "filch/detail/base/proc_text.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/base/thread_usage.hpp"

namespace filch::detail {
namespace {

/// The number of the thread in the upper half, the number of its processor clock in the lower one.
thread_mark new_mark() noexcept {
  const auto number = static_cast<std::uint32_t>(::syscall(SYS_gettid));
  clockid_t clock = 0;
  if (pthread_getcpuclockid(pthread_self(), &clock) != 0) clock = 0;
  return thread_mark{number} << 32 | static_cast<std::uint32_t>(clock);
}

clockid_t clock_of(thread_mark mark) noexcept {
  return static_cast<clockid_t>(static_cast<std::uint32_t>(mark));
}

proc_text task_file(thread_mark mark, const char* name) noexcept {
  std::array<char, 64> path;
  std::snprintf(path.data(), path.size(), "/proc/self/task/%llu/%s",
                static_cast<unsigned long long>(number_of(mark)), name);
  return proc_text(path.data());
}

struct reason {
  long call;
  const char* words;
  bool of_descriptor = false;  ///< the first argument is a descriptor
};

constexpr reason reasons[] = {
    {SYS_futex, "a lock, a condition variable or another thread"},
    {SYS_read, "input from descriptor ", true},
    {SYS_readv, "input from descriptor ", true},
    {SYS_recvfrom, "input from descriptor ", true},
    {SYS_recvmsg, "input from descriptor ", true},
#ifdef SYS_accept  // some processors have only the next one
    {SYS_accept, "a connection at descriptor ", true},
#endif
    {SYS_accept4, "a connection at descriptor ", true},
    {SYS_connect, "a connection of descriptor ", true},
    {SYS_write, "output to descriptor ", true},
    {SYS_writev, "output to descriptor ", true},
    {SYS_sendto, "output to descriptor ", true},
    {SYS_sendmsg, "output to descriptor ", true},
    {SYS_fsync, "the disk, for descriptor ", true},
    {SYS_flock, "a lock of descriptor ", true},
#ifdef SYS_poll  // the same
    {SYS_poll, "events of descriptors"},
    {SYS_select, "events of descriptors"},
    {SYS_epoll_wait, "events of descriptors"},
#endif
    {SYS_ppoll, "events of descriptors"},
    {SYS_pselect6, "events of descriptors"},
    {SYS_epoll_pwait, "events of descriptors"},
    {SYS_nanosleep, "a time that it set itself"},
    {SYS_clock_nanosleep, "a time that it set itself"},
    {SYS_wait4, "a child process"},
    {SYS_waitid, "a child process"},
};

}  // namespace

thread_mark this_thread_mark() noexcept {
  static constinit thread_local thread_mark mark = 0;
  static constinit thread_local std::uint32_t made_after = 0;  // forks: the child has other numbers
  const std::uint32_t forks = forks_so_far.load(std::memory_order_relaxed);  // own value
  if (mark == 0 || made_after != forks) [[unlikely]] {
    mark = new_mark();
    made_after = forks;
  }
  return mark;
}

std::uint64_t number_of(thread_mark mark) noexcept { return mark >> 32; }

std::optional<std::uint64_t> processor_time(thread_mark mark) noexcept {
  timespec used{};
  if (clock_of(mark) == 0 || ::clock_gettime(clock_of(mark), &used) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(used.tv_nsec);
}

kernel_state kernel_state_of(thread_mark mark) noexcept {
  if (mark == 0) return kernel_state::unknown;
  const proc_text stat = task_file(mark, "stat");
  const std::string_view letter = stat.stat_field(3);
  if (letter == "S" || letter == "D") return kernel_state::asleep;
  return letter.empty() || letter == "Z" || letter == "X" ? kernel_state::unknown
                                                          : kernel_state::ready;
}

std::string reason_for_sleep(thread_mark mark) {
  if (mark == 0) return "";
  // "number argument argument ...", or "running", or -1 outside of a call.
  const proc_text file = task_file(mark, "syscall");
  std::string_view text = file.text();
  long call = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), call);
  if (error != std::errc() || call < 0) return "";
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  for (const reason& r : reasons) {
    if (r.call != call) continue;
    std::uint32_t descriptor = 0;
    constexpr std::string_view before = " 0x";
    if (!r.of_descriptor || !text.starts_with(before)) return r.words;
    std::from_chars(text.data() + before.size(), text.data() + text.size(), descriptor, 16);
    return r.words + std::to_string(descriptor);
  }
  return "system call " + std::to_string(call);
}

}  // namespace filch::detail

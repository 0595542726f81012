// pthread_atfork(3), getpid(2), proc(5), program_invocation_short_name(3).
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "filch/detail/base/proc_text.hpp"
#include "filch/detail/base/process.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit std::atomic<std::uint32_t> forks_so_far;
#endif

namespace {

constinit std::atomic<bool> observing{false};
constinit fork_handler call_in_child = nullptr;

void child() {
  forks_so_far.fetch_add(1, std::memory_order_relaxed);  // no other thread
  call_in_child();
}

}  // namespace

bool observe_forks(fork_handler in_child) noexcept {
  if (observing.exchange(true, std::memory_order_relaxed)) return true;  // orders nothing: a turn
  call_in_child = in_child;
  if (pthread_atfork(nullptr, nullptr, &child) == 0) return true;
  observing.store(false, std::memory_order_relaxed);  // orders nothing: the next has its turn
  return false;
}

std::uint64_t process_id() noexcept { return static_cast<std::uint64_t>(::getpid()); }

std::uint64_t process_mark(std::uint64_t pid) noexcept {
  std::array<char, 40> path;
  std::snprintf(path.data(), path.size(), "/proc/%llu/stat", static_cast<unsigned long long>(pid));
  const proc_text stat(path.data());
  const proc_text boot("/proc/sys/kernel/random/boot_id");
  const std::string_view start = stat.stat_field(22);  // when it began, in ticks since the boot
  if (start.empty()) return 0;
  std::uint64_t mark = 14'695'981'039'346'656'037U;  // FNV-1a
  for (const std::string_view part : {start, boot.text()})
    for (const char c : part) mark = (mark ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  return mark;
}

std::string_view program_name() noexcept { return program_invocation_short_name; }

}  // namespace filch::detail

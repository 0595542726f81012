// pthread_atfork(3), getpid(2), program_invocation_short_name(3).
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "filch/detail/base/process.hpp"

namespace filch::detail {
namespace {

constinit std::atomic<bool> watching{false};
constinit fork_handler call_in_child = nullptr;

void child() {
  forks_so_far.fetch_add(1, std::memory_order_relaxed);  // no other thread
  call_in_child();
}

}  // namespace

bool watch_forks(fork_handler in_child) noexcept {
  if (watching.exchange(true, std::memory_order_relaxed)) return true;  // orders nothing: a turn
  call_in_child = in_child;
  if (pthread_atfork(nullptr, nullptr, &child) == 0) return true;
  watching.store(false, std::memory_order_relaxed);  // orders nothing: the next has its turn
  return false;
}

std::uint64_t process_id() noexcept { return static_cast<std::uint64_t>(::getpid()); }

std::string_view program_name() noexcept { return program_invocation_short_name; }

}  // namespace filch::detail

// The heavy side of the asymmetric fences: membarrier(2), where it exists.
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/environment_variable.hpp"
#include "filch/detail/base/fence.hpp"

namespace filch::detail {
namespace {

long membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0); }

/// Does FILCH_NO_MEMBARRIER ask for full fences? A value that makes no sense counts as yes, since
/// full fences are right everywhere.
bool membarrier_unwanted() noexcept {
  const char* value = environment_variable("FILCH_NO_MEMBARRIER");
  if (value == nullptr || *value == '\0' || std::strcmp(value, "0") == 0) return false;
  if (std::strcmp(value, "1") != 0) {
    std::fprintf(stderr,
                 "filch: FILCH_NO_MEMBARRIER is \"%.40s\", but should be 0 or 1; doing without "
                 "membarrier, as for 1\n",
                 value);
  }
  return true;
}

fence_mode decide() noexcept {
  // ThreadSanitizer cannot see what membarrier orders: there both sides are full_fence().
  if (membarrier_unwanted() || FILCH_TSAN == 1) return fence_mode::full;

  constexpr long needed =
      MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  const int saved_errno = errno;
  const long offered = membarrier(MEMBARRIER_CMD_QUERY);
  // The trial call shows that a sandbox allows the call itself, and not only the registration.
  const bool works = offered >= 0 && (offered & needed) == needed &&
                     membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 &&
                     membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
  errno = saved_errno;
  return works ? fence_mode::asymmetric : fence_mode::full;
}

constinit std::atomic<fence_mode> decision{fence_mode::undecided};

/// The decision, taken by the first caller. Callers that come meanwhile do not wait for it. They
/// find out themselves, and then use the decision of the first: if they waited, a child that fork()
/// made while another thread was deciding would wait for ever. The child inherits both the decision
/// and the registration.
fence_mode decided() noexcept {
  auto mode = decision.load(std::memory_order_relaxed);  // orders nothing: the value is all
  if (mode == fence_mode::undecided) {
    const fence_mode chosen = decide();
    if (decision.compare_exchange_strong(mode, chosen,
                                         std::memory_order_relaxed))  // orders nothing
      mode = chosen;
  }
  const auto known = current_fence_mode->load(std::memory_order_relaxed);  // orders nothing
  if (known == fence_mode::undecided)
    current_fence_mode->store(mode, std::memory_order_relaxed);  // orders nothing: see fence.hpp
  return mode;
}

}  // namespace

void heavy_fence() noexcept {
  static_cast<void>(decided());
  const auto mode = current_fence_mode->load(std::memory_order_relaxed);  // orders nothing: decided
  if (mode == fence_mode::full) {
    full_fence();
    return;
  }
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    fail(
        "the membarrier system call worked at first and now fails (%s); start the program with "
        "FILCH_NO_MEMBARRIER=1 to do without it",
        std::strerror(errno));
  }
}

bool asymmetric_fences_available() noexcept {
  static_cast<void>(decided());
  const auto mode = current_fence_mode->load(std::memory_order_relaxed);  // orders nothing: decided
  return mode == fence_mode::asymmetric;
}

void force_full_fences(bool forced) noexcept {
  const fence_mode mode = forced ? (decided(), fence_mode::full) : decided();
  current_fence_mode->store(mode, std::memory_order_relaxed);  // no other thread, says the header
}

}  // namespace filch::detail

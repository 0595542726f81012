// Stopping with a message when filch is misused. FILCH_CHECKS chooses what is checked.
#pragma once

#include "filch/detail/base/config.hpp"

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "filch/detail/base/thread_id.hpp"

namespace filch::detail {

/// Prints "filch: " and the message (as printf would) on one line of stderr, and aborts. Any
/// thread.
[[noreturn, gnu::cold, gnu::noinline, gnu::format(printf, 1, 2)]] inline void fail(
    const char* format, ...) noexcept {
  std::array<char, 1024> message{};
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message.data(), message.size(), format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "filch: %s\n", message.data());  // one call, so lines do not mix
  std::fflush(stderr);
  std::abort();
}

/// Aborts with `message` if checks are on and `condition` is false. If they are off, `condition`
/// must compile but is not evaluated.
#define FILCH_CHECK(condition, message) \
  (FILCH_CHECKS == 0 || (condition)     \
       ? static_cast<void>(0)           \
       : ::filch::detail::fail("%s (%s:%d: %s)", message, __FILE__, __LINE__, #condition))

/// Remembers which thread owns an object, and aborts if another thread does what only the owner
/// may.
///
/// The member exists in every build: FILCH_CHECKS changes no layout. It orders nothing: users must
/// order the handing over of an object themselves, and this class exists to report a race in that.
///
/// It uses std::atomic and not the seam's: the model checker has better means of finding a wrong
/// owner, and every atomic that it must explore costs it schedules.
class owner_check {
 public:
  /// If no thread owns the object, the calling thread becomes its owner; if another thread does,
  /// this aborts and names both. `what` is the operation, for example "deque::push()". Any thread.
  ///
  /// The default template argument gives files with and without checks functions of their own.
  template <bool Checked = (FILCH_CHECKS == 1)>
  void check([[maybe_unused]] const char* what) noexcept {
    if constexpr (Checked) {
      const std::uint64_t caller = this_thread_id();
      std::uint64_t owner = owner_.load(std::memory_order_relaxed);  // orders nothing: see above
      if (owner == caller) [[likely]]
        return;
      if (owner == no_owner && owner_.compare_exchange_strong(
                                   owner, caller, std::memory_order_relaxed))  // orders nothing
        return;
      stop(what, caller, owner);
    }
  }

  /// The next thread that calls check() becomes the owner. Owner only; this is checked.
  template <bool Checked = (FILCH_CHECKS == 1)>
  void release([[maybe_unused]] const char* what = "hand_over()") noexcept {
    if constexpr (Checked) {
      check<true>(what);
      owner_.store(no_owner, std::memory_order_relaxed);  // orders nothing: see above
    }
  }

 private:
  static constexpr std::uint64_t no_owner = 0;  // no thread has this number

  [[noreturn, gnu::cold, gnu::noinline]] static void stop(const char* what, std::uint64_t caller,
                                                          std::uint64_t owner) noexcept {
    const thread_name_text caller_name = thread_name(caller);
    const thread_name_text owner_name = thread_name(owner);
    fail(
        "%s was called by thread %llu (%s), but thread %llu (%s) is the owner; only the owner may "
        "do that. To change owners, call hand_over() on the owner first.",
        what, static_cast<unsigned long long>(caller), or_unknown(caller_name),
        static_cast<unsigned long long>(owner), or_unknown(owner_name));
  }

  static const char* or_unknown(const thread_name_text& name) noexcept {
    return name[0] != '\0' ? name.data() : "name unknown";
  }

  std::atomic<std::uint64_t> owner_{no_owner};
};

}  // namespace filch::detail

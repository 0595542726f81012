#include "filch/detail/base/sanitizer.hpp"

#include <utility>

// NOLINTBEGIN(*-reserved-identifier, cert-*): the names are the sanitizer's
extern "C" {
[[gnu::weak]] void __tsan_acquire(void* at);
[[gnu::weak]] void __tsan_release(void* at);
[[gnu::weak]] void __tsan_ignore_thread_begin();
[[gnu::weak]] void __tsan_ignore_thread_end();
[[gnu::weak]] void __msan_scoped_disable_interceptor_checks();
[[gnu::weak]] void __msan_scoped_enable_interceptor_checks();
}
// NOLINTEND(*-reserved-identifier, cert-*)

namespace filch::detail {

namespace {

constinit thread_local bool is_hidden = false;

}  // namespace

void tell_release(const volatile void* at) noexcept {
  if (!tells_tsan && __tsan_release != nullptr)
    __tsan_release(const_cast<void*>(at));  // NOLINT(*-const-cast): only the address counts
}

void tell_acquire(const volatile void* at) noexcept {
  if (!tells_tsan && __tsan_acquire != nullptr)
    __tsan_acquire(const_cast<void*>(at));  // NOLINT(*-const-cast): only the address counts
}

bool tell_hidden(bool hidden) noexcept {
  if (tells_tsan || FILCH_MSAN == 1 || hidden == is_hidden) return is_hidden;
  const auto change =
      hidden ? std::pair(&__tsan_ignore_thread_begin, &__msan_scoped_disable_interceptor_checks)
             : std::pair(&__tsan_ignore_thread_end, &__msan_scoped_enable_interceptor_checks);
  if (change.first != nullptr) change.first();
  if (change.second != nullptr) change.second();
  return std::exchange(is_hidden, hidden);
}

}  // namespace filch::detail

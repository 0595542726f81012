// What ThreadSanitizer is told in a program whose libfilch is compiled without it.
//
// ThreadSanitizer sees the synchronisation of code that is compiled with it. Of the library it sees
// only what it intercepts: malloc, free, memcpy, locks. So header code names both ends of each
// hand-over that passes through the library: the giving thread calls tsan_release(), and later the
// receiving thread calls tsan_acquire() with the same address. Each pair stands for an edge that
// the library has: an edge that it has not would hide races of the program. What the library itself
// reads and writes is hidden.
//
// All of this does nothing in a program that is compiled without ThreadSanitizer. It also does
// nothing if the library is compiled with ThreadSanitizer, so that it cannot hide a race of the
// library. docs/decisions/0015-what-sanitizers-are-told.md says more.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>

#if FILCH_MSAN
// NOLINTNEXTLINE(*-reserved-identifier, cert-*): the sanitizer's name
extern "C" void __msan_unpoison(const volatile void* at, std::size_t size);
#endif

namespace filch::detail {

/// Is this code compiled with ThreadSanitizer? Then the program itself compiles some loops that are
/// otherwise compiled in the library.
inline constexpr bool tells_tsan = FILCH_TSAN == 1;

/// Is it compiled with a sanitizer that watches all memory? None of these sees what the library
/// does to the program's memory.
inline constexpr bool watches_memory = tells_tsan || FILCH_ASAN + FILCH_MSAN != 0;

// ---- in the library: with effect if the program has ThreadSanitizer and the library has not -----

/// What the calling thread did so far happens before what a thread does after tell_acquire(at).
void tell_release(const volatile void* at) noexcept;
void tell_acquire(const volatile void* at) noexcept;
/// From now on ThreadSanitizer does not look at what the calling thread reads and writes. Returns
/// for tell_hidden() whether that was so before.
bool tell_hidden(bool hidden) noexcept;

// ---- in header code: with effect if that is compiled with ThreadSanitizer -----------------------

inline void tsan_release([[maybe_unused]] const volatile void* at) noexcept {
  if constexpr (tells_tsan) tell_release(at);
}
inline void tsan_acquire([[maybe_unused]] const volatile void* at) noexcept {
  if constexpr (tells_tsan) tell_acquire(at);
}

/// The library has written the object `what`.
template <class T>
void msan_written([[maybe_unused]] const T& what) noexcept {
#if FILCH_MSAN
  __msan_unpoison(static_cast<const volatile void*>(&reinterpret_cast<const char&>(what)),
                  sizeof(T));
#endif
}
/// The same for an object that it has returned.
template <class T>
T&& msan_returned(T&& what) noexcept {
  msan_written(what);
  return static_cast<T&&>(what);
}

/// For as long as this lives, what the calling thread reads and writes is hidden, or not.
template <bool Hidden, bool Tells = tells_tsan || FILCH_MSAN == 1>
class sanitizer_view {
 public:
  sanitizer_view() noexcept {}  // NOLINT(*-equals-default): else compilers say that it is unused
  sanitizer_view(const sanitizer_view&) = delete;
  sanitizer_view& operator=(const sanitizer_view&) = delete;
};
template <bool Hidden>
class sanitizer_view<Hidden, true> {
 public:
  sanitizer_view() noexcept : before_(tell_hidden(Hidden)) {}
  sanitizer_view(const sanitizer_view&) = delete;
  sanitizer_view& operator=(const sanitizer_view&) = delete;
  ~sanitizer_view() { (void)tell_hidden(before_); }

 private:
  bool before_;
};
// In header code: it calls the library or uses its memory; the library calls code of the program.
using sanitizer_hidden = sanitizer_view<true>;
using sanitizer_seen = sanitizer_view<false>;
// In the library: its own threads, and functions that look at other threads; it calls code of the
// program.
using hidden_from_sanitizers = sanitizer_view<true, true>;
using shown_to_sanitizers = sanitizer_view<false, true>;

/// Calls a function of the library.
template <auto Function, class... Args>
[[gnu::always_inline]] inline decltype(auto) call_hidden(Args&&... args) {
  const sanitizer_hidden hidden;
  return Function(static_cast<Args&&>(args)...);
}

}  // namespace filch::detail

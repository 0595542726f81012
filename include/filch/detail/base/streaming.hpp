// Writing past the caches, for results that are too many to stay there.
//
// An ordinary store to a line that is not in a cache fetches it first, to overwrite what it has
// just fetched. Whoever writes whole lines in order can do without: a third less traffic for a loop
// that reads as much as it writes. What has been written so is not in a cache afterwards; that is a
// loss if it is read again soon and would still have been there.
//
// Such stores are weakly ordered, on x86 too: no later release orders them, unless it happens to be
// a locked instruction. So who has streamed calls end_streaming() before anything that tells others
// that it is done: in the same function that streamed, since nobody further up knows. A thread sees
// its own in their order.
//
// Without a way to do so for this processor these are ordinary stores, and streaming_pays is false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__) && defined(__x86_64__)
#define FILCH_STREAMING 1
#include <emmintrin.h>
#else
#define FILCH_STREAMING 0
#endif

namespace filch::detail {

inline constexpr bool streaming_pays = FILCH_STREAMING != 0;

/// How wide the stores are, and how they are aligned.
inline constexpr std::size_t streamed_bytes = 16;

inline bool is_stream_aligned(const void* to) noexcept {
  return reinterpret_cast<std::uintptr_t>(to) % streamed_bytes == 0;
}

/// Writes 16 bytes to `to`, which is_stream_aligned().
template <class T>
[[gnu::always_inline]] inline void stream_sixteen(void* to, const T& value) noexcept {
  static_assert(sizeof(T) == streamed_bytes && std::is_trivially_copyable_v<T>);
#if FILCH_STREAMING
  __m128i bytes;
  std::memcpy(&bytes, &value, sizeof bytes);
  _mm_stream_si128(static_cast<__m128i*>(to), bytes);
#else
  std::memcpy(to, &value, sizeof value);
#endif
}

/// Writes a number of 4 or 8 bytes to `to`.
template <class T>
[[gnu::always_inline]] inline void stream_number(T* to, T value) noexcept {
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T>);
#if FILCH_STREAMING
  if constexpr (sizeof(T) == 4) {
    int bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    _mm_stream_si32(reinterpret_cast<int*>(to), bits);
  } else {
    long long bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    _mm_stream_si64(reinterpret_cast<long long*>(to), bits);
  }
#else
  *to = value;
#endif
}

/// What this thread has streamed comes before whatever it writes from here on, for all others.
inline void end_streaming() noexcept {
#if FILCH_STREAMING
  _mm_sfence();
#endif
}

/// From so many bytes of results on they do not stay in the caches anyway. Any thread; asks the
/// system once.
std::size_t streaming_from() noexcept;

}  // namespace filch::detail

// Writing past the caches, for results that do not fit in them.
//
// An ordinary store to a line that is not in a cache fetches the line first, only to overwrite it.
// A loop that writes whole lines in order can avoid that: if it reads as much as it writes, it has
// a third less memory traffic. A streamed line is not in a cache afterwards. That is a loss if it
// is read again soon and would still have been in the cache.
//
// Streaming stores are weakly ordered, on x86 too: a later release does not order them, unless it
// happens to be a locked instruction. So a function that streams calls end_streaming() before it
// tells other threads that it is done. It has to do so itself, since no caller knows that it
// streamed. A thread sees its own stores in their order.
//
// On processors without such stores these are ordinary stores, and streaming_pays is false.
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

/// The width of the stores, and their alignment.
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

/// For all other threads, what this thread has streamed comes before all that it writes afterwards.
inline void end_streaming() noexcept {
#if FILCH_STREAMING
  _mm_sfence();
#endif
}

/// From this many bytes on, results do not stay in the caches anyway. Any thread; asks the system
/// once.
std::size_t streaming_from() noexcept;

}  // namespace filch::detail

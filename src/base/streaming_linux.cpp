// The size of the caches by sysconf(3).
#include <unistd.h>

#include <algorithm>

#include "filch/detail/base/streaming.hpp"

namespace filch::detail {
namespace {

/// The size of the last level, as the C library reports it; 0 or less if it does not know.
long last_cache() noexcept {
#if defined(_SC_LEVEL3_CACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
  return std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
#else
  return 0;
#endif
}

}  // namespace

std::size_t streaming_from() noexcept {
  // Some systems report the cache of a socket, which many cores share; virtual ones report nothing.
  constexpr long least = 8L << 20, most = 64L << 20;
  static const auto bytes = static_cast<std::size_t>(std::clamp(last_cache(), least, most));
  return bytes;
}

}  // namespace filch::detail

// Memory by mmap(2).
#include <sys/mman.h>

#include <cstdint>
#include <new>

#include "filch/detail/base/pages.hpp"

namespace filch::detail {

pages::pages(std::size_t size) : size_(size) {
  // Twice the size holds one aligned piece; the memory before and after it goes back.
  void* const all = mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  char* const from = static_cast<char*>(all);
  const std::size_t before = (size - reinterpret_cast<std::uintptr_t>(from) % size) % size;
  if (before != 0) munmap(from, before);
  if (before != size) munmap(from + before + size, size - before);
  start_ = from + before;
  // With a huge page, the first small use would touch megabytes. It works without the advice, too.
  (void)madvise(start_, size, MADV_NOHUGEPAGE);
}

pages::~pages() {
  if (start_ != nullptr) munmap(start_, size_);
}

}  // namespace filch::detail

// Large pages by madvise(2).
#include <sys/mman.h>

#include "filch/detail/base/huge_pages.hpp"

namespace filch::detail {

void want_huge_pages(void* start, std::size_t size) noexcept {
  (void)madvise(start, size / huge_page * huge_page, MADV_HUGEPAGE);
}

}  // namespace filch::detail

#include <cstddef>
#include <cstdint>
#include <functional>

#include "filch/detail/kernel/sort.hpp"
#include "filch/detail/order/sort.hpp"
#include "filch/options.hpp"

namespace filch::detail {

template <class T>
void sort_numbers(T* first, std::size_t n, const options& o) {
  std::ranges::less less;
  std::identity self;
  order_in_parallel(n, o, [&](const auto& fork) {
    detail::sort_elements<false>(fork, first, n, less, self, o.grain);
  });
}

template void sort_numbers(int*, std::size_t, const options&);
template void sort_numbers(unsigned*, std::size_t, const options&);
template void sort_numbers(std::int64_t*, std::size_t, const options&);
template void sort_numbers(std::uint64_t*, std::size_t, const options&);
template void sort_numbers(float*, std::size_t, const options&);
template void sort_numbers(double*, std::size_t, const options&);

}  // namespace filch::detail

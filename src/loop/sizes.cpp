#include "filch/detail/loop/sizes.hpp"

#include <string>

#include "filch/errors.hpp"

namespace filch::detail {

void refuse_sizes(const char* function, std::size_t a, const char* operation, std::size_t b) {
  throw usage_error(std::string("filch: ") + function + ": " + std::to_string(a) + operation +
                    std::to_string(b) + " items are more than can be counted; at most " +
                    std::to_string(most_items) + " can");
}

void refuse_capacity(const char* function, std::size_t n, std::size_t most) {
  throw usage_error(std::string("filch: ") + function + ": capacity for " + std::to_string(n) +
                    " elements was asked for; a container holds at most " + std::to_string(most));
}

void refuse_wide_size() {
  throw usage_error("filch: a range has more items than std::size_t can count; at most " +
                    std::to_string(most_items) + " can be in one");
}

void refuse_small_range(std::size_t items, std::size_t size) {
  throw usage_error("filch: " + std::to_string(items) + " items do not fit into the " +
                    std::to_string(size) +
                    " elements of the range that was given; make it larger, or use "
                    "to<std::vector>()");
}

void require_positive(std::size_t n, const char* adaptor) {
  if (n == 0)
    throw usage_error(std::string("filch: ") + adaptor +
                      "(0) of a parallel range: it has to be 1 or more");
}

void refuse_numbers(long long first, unsigned long long last) {
  throw usage_error("filch: the common type of both cannot hold all numbers from " +
                    std::to_string(first) + " up to " + std::to_string(last) +
                    ". Convert both to a wider type, such as long long");
}

}  // namespace filch::detail

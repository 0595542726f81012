#include "runtime/filch.hpp"

#include "filch/ranges.hpp"
#include "problem.hpp"

namespace {

using bench::on_filch;
using items = std::vector<std::int32_t>;

struct by_ranges {
  static std::int64_t sum(on_filch&, const items& in) {
    return filch::par(in).map([](std::int32_t x) { return std::int64_t{x}; }).sum();
  }
  static bool all(on_filch&, const items& in) { return filch::par(in).all(searches::is_in_bounds); }
  static bool any(on_filch&, const items& in) {
    return filch::par(in).any(searches::is_out_of_bounds);
  }
  static std::size_t count(on_filch&, const items& in) {
    return filch::par(in).filter(searches::is_large).count();
  }
  static std::int32_t min_by_key(on_filch&, const items& in) {
    return filch::par(in).min_by_key(searches::key).value_or(0);
  }
  static std::size_t position(on_filch&, const items& in) {
    return filch::par(in).position_any(searches::is_wanted).value_or(0);
  }
};

}  // namespace

int main(int argc, char** argv) { return searches::page_of<on_filch, by_ranges>().run(argc, argv); }

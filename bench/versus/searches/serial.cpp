#include "runtime/serial.hpp"

#include <algorithm>

#include "problem.hpp"

namespace {

using bench::on_serial;
using items = std::vector<std::int32_t>;

struct by_hand {
  static std::int64_t sum(on_serial&, const items& in) {
    return std::accumulate(in.begin(), in.end(), std::int64_t{0});
  }
  static bool all(on_serial&, const items& in) {
    return std::all_of(in.begin(), in.end(), searches::is_in_bounds);
  }
  static bool any(on_serial&, const items& in) {
    return std::any_of(in.begin(), in.end(), searches::is_out_of_bounds);
  }
  static std::size_t count(on_serial&, const items& in) {
    return static_cast<std::size_t>(std::count_if(in.begin(), in.end(), searches::is_large));
  }
  static std::int32_t min_by_key(on_serial&, const items& in) {
    return std::ranges::min(in, {}, searches::key);
  }
  static std::size_t position(on_serial&, const items& in) {
    return static_cast<std::size_t>(std::find_if(in.begin(), in.end(), searches::is_wanted) -
                                    in.begin());
  }
};

}  // namespace

int main(int argc, char** argv) { return searches::page_of<on_serial, by_hand>().run(argc, argv); }

#include "runtime/filch.hpp"

#include "filch/ranges.hpp"
#include "problem.hpp"

namespace {

using bench::on_filch;

struct by_ranges {
  static std::int64_t of_chunks(on_filch&, const nested::items& in) {
    return filch::par(in).chunks(nested::chunk).map(nested::largest).sum();
  }
  static std::int64_t of_halves(on_filch&, const nested::items& a, const nested::items& b) {
    return filch::par(a).chain(b).sum();
  }
  static std::int64_t of_vectors(on_filch&, const nested::vectors& in) {
    return filch::par(in).flatten().sum();
  }
};

}  // namespace

int main(int argc, char** argv) { return nested::page_of<on_filch, by_ranges>().run(argc, argv); }

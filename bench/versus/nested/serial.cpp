#include "runtime/serial.hpp"

#include <numeric>

#include "problem.hpp"

namespace {

using bench::on_serial;

std::int64_t sum(const nested::items& in) {
  return std::accumulate(in.begin(), in.end(), std::int64_t{0});
}

struct by_hand {
  static std::int64_t of_chunks(on_serial&, const nested::items& in) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < in.size(); i += nested::chunk)
      total += nested::largest(std::span(in).subspan(i, nested::chunk));
    return total;
  }
  static std::int64_t of_halves(on_serial&, const nested::items& a, const nested::items& b) {
    return sum(a) + sum(b);
  }
  static std::int64_t of_vectors(on_serial&, const nested::vectors& in) {
    std::int64_t total = 0;
    for (const nested::items& inner : in) total += sum(inner);
    return total;
  }
};

}  // namespace

int main(int argc, char** argv) { return nested::page_of<on_serial, by_hand>().run(argc, argv); }

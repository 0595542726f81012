#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<picking::numbers>(picking::copy_if,
                                  [](picking::numbers& n) {
                                    const std::uint32_t* const first = n.in.data();
                                    std::uint32_t* const end = picking::copy_even(
                                        first, first + n.in.size(), n.out.data());
                                    n.copied = static_cast<std::size_t>(end - n.out.data());
                                  })
      .timed_on<picking::bytes>(picking::histogram,
                                [](picking::bytes& b) {
                                  for (const std::uint8_t x : b.in) ++b.counts[x];
                                })
      .timed_on<picking::text>(picking::word_count,
                               [](picking::text& t) {
                                 picking::word_table counts;
                                 picking::count_words(t.in, 0, t.in.size(), counts);
                                 t.found.assign(counts.begin(), counts.end());
                               })
      .run(argc, argv);
}

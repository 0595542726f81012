#include "runtime/filch.hpp"

#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/histogram.hpp"
#include "filch/algorithm/text.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<picking::numbers>(picking::copy_if,
                                  [](picking::numbers& n) {
                                    const auto end =
                                        filch::copy_if(n.in, n.out.begin(), picking::is_even).out;
                                    n.copied = static_cast<std::size_t>(end - n.out.begin());
                                  })
      .timed_on<picking::bytes>(picking::histogram,
                                [](picking::bytes& b) {
                                  const auto counts = filch::histogram(b.in, 256);
                                  std::copy(counts.begin(), counts.end(), b.counts.begin());
                                })
      .timed_on<picking::text>(picking::word_count,
                               [](picking::text& t) { t.found = filch::count_words(t.in); })
      .run(argc, argv);
}

// Eight threads for every worker, each with a range of the same length.
#include "runtime/async.hpp"

#include <future>
#include <vector>

#include "problem.hpp"

namespace {

std::uint64_t sum(const bench::on_async& async, const loops::loop& l) {
  const int pieces = 8 * async.workers();
  const int length = (l.items + pieces - 1) / pieces;
  std::vector<std::future<std::uint64_t>> running;
  for (int i = 0; i < l.items; i += length)
    running.push_back(std::async(std::launch::async, [&l, i, length] {
      return l.work({i, std::min(i + length, l.items)});
    }));
  std::uint64_t total = 0;
  for (auto& r : running) total += r.get();
  return total;
}

}  // namespace

int main(int argc, char** argv) { return loops::page_of<bench::on_async>(sum).run(argc, argv); }

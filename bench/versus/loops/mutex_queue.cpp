#include "runtime/mutex_queue.hpp"

#include <atomic>

#include "problem.hpp"

namespace {

std::uint64_t sum(bench::on_mutex_queue& queue, const loops::loop& l) {
  std::atomic<std::uint64_t> total{0};
  loops::for_blocks(
      l.all(), [&](loops::range block) { queue.submit([&, block] { total += l.work(block); }); });
  queue.wait_idle();
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  return loops::page_of<bench::outside<bench::on_mutex_queue>>(sum).run(argc, argv);
}

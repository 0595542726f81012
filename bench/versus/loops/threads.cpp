#include "runtime/threads.hpp"

#include <atomic>

#include "problem.hpp"

namespace {

std::uint64_t sum(bench::on_threads& threads, const loops::loop& l) {
  std::atomic<std::uint64_t> total{0};
  threads.each([&](int me) { total += l.work(l.dealt_to(me, threads.workers())); });
  return total;
}

}  // namespace

int main(int argc, char** argv) { return loops::page_of<bench::on_threads>(sum).run(argc, argv); }

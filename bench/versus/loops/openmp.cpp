#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

std::uint64_t sum(const bench::on_openmp& openmp, const loops::loop& l) {
  const int workers = openmp.workers();
  std::uint64_t total = 0;
#pragma omp parallel for num_threads(workers) schedule(dynamic, 16) reduction(+ : total)
  for (int i = 0; i < l.items; ++i) total += l.work(i);
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  return loops::page_of<bench::outside<bench::on_openmp>>(sum).run(argc, argv);
}

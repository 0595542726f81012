#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

using runtime = bench::outside<bench::on_openmp>;

struct by_hand {
  static std::int64_t of_chunks(const runtime& openmp, const nested::items& in) {
    const int workers = openmp.workers();
    std::int64_t total = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : total)
    for (std::size_t i = 0; i < in.size(); i += nested::chunk)
      total += nested::largest(std::span(in).subspan(i, nested::chunk));
    return total;
  }
  static std::int64_t of_halves(const runtime& openmp, const nested::items& a,
                                const nested::items& b) {
    const int workers = openmp.workers();
    const std::int64_t* const of_a = a.data();
    const std::int64_t* const of_b = b.data();
    const std::size_t n = a.size();  // and of b
    std::int64_t total = 0;
#pragma omp parallel num_threads(workers) reduction(+ : total)
    {
#pragma omp for simd nowait
      for (std::size_t i = 0; i < n; ++i) total += of_a[i];
#pragma omp for simd
      for (std::size_t i = 0; i < n; ++i) total += of_b[i];
    }
    return total;
  }
  static std::int64_t of_vectors(const runtime& openmp, const nested::vectors& in) {
    const int workers = openmp.workers();
    std::int64_t total = 0;
#pragma omp parallel for num_threads(workers) reduction(+ : total)
    for (std::size_t i = 0; i < in.size(); ++i)
      for (const std::int64_t x : in[i]) total += x;
    return total;
  }
};

}  // namespace

int main(int argc, char** argv) { return nested::page_of<runtime, by_hand>().run(argc, argv); }

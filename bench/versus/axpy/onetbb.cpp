#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "problem.hpp"

namespace {

void pass(float a, const float* x, float* y, int n) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [=](const tbb::blocked_range<int>& r) {
    for (int i = r.begin(); i != r.end(); ++i) y[i] += a * x[i];
  });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed_on<axpy::input>(axpy::problem,
                             [](axpy::input& in) {
                               for (int p = 0; p < axpy::passes; ++p)
                                 pass(in.a, in.x.data(), in.y.data(), in.floats());
                             })
      .run(argc, argv);
}

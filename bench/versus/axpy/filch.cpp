#include "runtime/filch.hpp"

#include "filch/algorithm/parallel_for.hpp"
#include "problem.hpp"

namespace {

void pass(float a, const float* x, float* y, int n) {
  filch::parallel_for(0, n, [=](int i) { y[i] += a * x[i]; });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<axpy::input>(axpy::problem,
                             [](axpy::input& in) {
                               for (int p = 0; p < axpy::passes; ++p)
                                 pass(in.a, in.x.data(), in.y.data(), in.floats());
                             })
      .run(argc, argv);
}

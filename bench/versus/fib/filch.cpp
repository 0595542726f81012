#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "harness.hpp"
#include "problem.hpp"

namespace {

long fib_of(int n) {
  if (n < 2) return n;
  const auto [x, y] = filch::join([=] { return fib_of(n - 1); }, [=] { return fib_of(n - 2); });
  return x + y;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  filch::pool pool(static_cast<std::size_t>(o.workers));
  return bench::run(
      "fib", "filch", o, [&] { return pool.install([] { return fib_of(bench::opaque(fib::n)); }); },
      fib::expected);
}

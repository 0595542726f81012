#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

[[gnu::noinline]] long sum(long first, int leaves) {
  if (leaves == 1) return first;
  const int part = leaves / skynet::children;
  long total = 0;
  for (int i = 0; i < skynet::children; ++i) total += sum(first + long{i} * part, part);
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed(skynet::sum, skynet::answer, [](int leaves) { return sum(0, leaves); })
      .run(argc, argv);
}

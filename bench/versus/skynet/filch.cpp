#include "runtime/filch.hpp"

#include <tuple>
#include <utility>

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

long sum(long first, int leaves);

template <int... Child>
long sum_of(std::integer_sequence<int, Child...>, long first, int part) {
  return std::apply([](auto... sums) { return (sums + ...); },
                    filch::join([=] { return sum(first + long{Child} * part, part); }...));
}

long sum(long first, int leaves) {
  if (leaves == 1) return first;
  return sum_of(std::make_integer_sequence<int, skynet::children>(), first,
                leaves / skynet::children);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed(skynet::sum, skynet::answer, [](int leaves) { return sum(0, leaves); })
      .run(argc, argv);
}

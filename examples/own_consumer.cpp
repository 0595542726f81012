// A consumer of your own. docs/design/ranges.md explains it.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "filch/plumbing.hpp"
#include "filch/ranges.hpp"

namespace mine {

/// The sum of the squares of numbers. A folder takes the items of one leaf, on one thread. Its part
/// is their sum, and neighbouring parts are merged. The order of items does not matter, so sixteen
/// folders take them in turn: then an addition does not wait for the one before (lanes). take_if()
/// has no branch, for chains with a filter.
class squares_consumer {
 public:
  using part = double;
  static constexpr auto rule = filch::plumbing::wanted::all;
  static constexpr std::size_t lanes = 16;

  class folder {
   public:
    void take(double x) { sum_ += x * x; }
    void take_if(bool yes, double x) { sum_ += yes ? x * x : 0; }
    double finish() && { return sum_; }

   private:
    double sum_ = 0;
  };
  folder begin(std::size_t) const { return {}; }
  double merge(double left, double right) const { return left + right; }
};

/// Runs the chain into the consumer: the length of a vector. drive() returns nothing if there were
/// no positions.
template <class Source, class Fork>
double length(filch::par_range<Source, Fork> range) {
  return std::sqrt(range.drive(squares_consumer()).value_or(0));
}

}  // namespace mine

int main() {
  const std::vector<double> v{1, 2, 4, 10};
  const double whole = mine::length(filch::par(v));
  const double small = mine::length(filch::par(v).filter([](double x) { return x < 3; }));
  std::printf("the length: %g; without the large ones: %.3f\n", whole, small);
  return whole == 11 && std::abs(small - 2.236) < 0.001 ? 0 : 1;
}

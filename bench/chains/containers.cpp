// Rows that collect items in containers.
#include <cstddef>
#include <vector>

#include "rows.hpp"

namespace chains {
namespace {

struct map_to_vector {
  static std::vector<double> chain(const numbers& in) {
    return filch::par(in.doubles, long_leaves).map([](double x) { return 3 * x + 1; }).to_vector();
  }
  static std::vector<double> loop(const numbers& in) {
    std::vector<double> out(in.doubles.size());
    for (std::size_t i = 0; i != out.size(); ++i) out[i] = 3 * in.doubles[i] + 1;
    return out;
  }
};

struct rev_to_vector {
  static std::vector<int> chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).rev().to_vector();
  }
  static std::vector<int> loop(const numbers& in) {
    const std::size_t n = in.ints.size();
    std::vector<int> out(n);
    for (std::size_t i = 0; i != n; ++i) out[i] = in.ints[n - 1 - i];
    return out;
  }
};

struct filter_to_vector {
  static std::vector<int> chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).filter([](int x) { return x % 2 == 0; }).to_vector();
  }
  static std::vector<int> loop(const numbers& in) {
    std::vector<int> out;
    for (const int x : in.ints)
      if (x % 2 == 0) out.push_back(x);
    return out;
  }
};

struct filter_few_to_vector {
  static std::vector<int> chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).filter([](int x) { return x % 64 == 0; }).to_vector();
  }
  static std::vector<int> loop(const numbers& in) {
    std::vector<int> out;
    for (const int x : in.ints)
      if (x % 64 == 0) out.push_back(x);
    return out;
  }
};

struct flat_map_to_vector {
  static std::vector<int> chain(const numbers& in) {
    return chains::par_without_clock(in.lengths)
        .flat_map([](int n) { return filch::par_indices(0, n); })
        .to_vector();
  }
  static std::vector<int> loop(const numbers& in) {
    std::vector<int> out;
    for (const int n : in.lengths)
      for (int x = 0; x < n; ++x) out.push_back(x);
    return out;
  }
};

struct partition {
  static std::pair<std::vector<int>, std::vector<int>> chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).partition([](int x) { return x > 500; });
  }
  static std::pair<std::vector<int>, std::vector<int>> loop(const numbers& in) {
    std::pair<std::vector<int>, std::vector<int>> out;
    for (const int x : in.ints) (x > 500 ? out.first : out.second).push_back(x);
    return out;
  }
};

}  // namespace

void run_containers(const numbers& in) {
  chains::run_rows<map_to_vector, rev_to_vector, filter_to_vector, filter_few_to_vector,
                   flat_map_to_vector, partition>(in);
}

}  // namespace chains

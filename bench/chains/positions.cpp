// Rows whose adaptors change the positions of items.
#include <algorithm>
#include <cstddef>

#include "rows.hpp"

namespace chains {
namespace {

struct take {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).take(in.ints.size() - 9).sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (std::size_t i = 0; i != in.ints.size() - 9; ++i) sum += in.ints[i];
    return sum;
  }
};

struct skip {
  static double chain(const numbers& in) {
    return filch::par(in.doubles, long_leaves).skip(9).map([](double x) { return x * 2; }).sum();
  }
  static double loop(const numbers& in) {
    double sum = 0;
    for (std::size_t i = 9; i < in.doubles.size(); ++i) sum += in.doubles[i] * 2;
    return sum;
  }
};

struct skip_filter {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).skip(9).filter([](int x) { return x > 100; }).sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (std::size_t i = 9; i < in.ints.size(); ++i)
      if (in.ints[i] > 100) sum += in.ints[i];
    return sum;
  }
};

struct rev {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).rev().map([](int x) { return x ^ 3; }).sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (std::size_t i = in.ints.size(); i-- != 0;) sum += in.ints[i] ^ 3;
    return sum;
  }
};

struct step_by {
  static int chain(const numbers& in) { return filch::par(in.ints, long_leaves).step_by(3).sum(); }
  static int loop(const numbers& in) {
    std::size_t step = 3;
    chains::keep(step);
    int sum = 0;
    for (std::size_t i = 0; i < in.ints.size(); i += step) sum += in.ints[i];
    return sum;
  }
};

struct zip {
  static double chain(const numbers& in) {
    return filch::par(in.doubles, long_leaves)
        .zip(in.factors)
        .map([](auto xy) { return xy.first * xy.second; })
        .sum();
  }
  static double loop(const numbers& in) {
    const std::size_t n = std::min(in.doubles.size(), in.factors.size());
    double sum = 0;
    for (std::size_t i = 0; i != n; ++i) sum += in.doubles[i] * in.factors[i];
    return sum;
  }
};

struct zip_filter {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .zip(in.others)
        .filter([](auto xy) { return xy.first < xy.second; })
        .map([](auto xy) { return xy.second - xy.first; })
        .sum();
  }
  static int loop(const numbers& in) {
    const std::size_t n = std::min(in.ints.size(), in.others.size());
    int sum = 0;
    for (std::size_t i = 0; i != n; ++i)
      if (in.ints[i] < in.others[i]) sum += in.others[i] - in.ints[i];
    return sum;
  }
};

struct zip_three {
  static int chain(const numbers& in) {
    return filch::zip(in.ints, in.others, in.bytes)
        .with(long_leaves)
        .map([](auto row) { return std::get<0>(row) + std::get<1>(row) * std::get<2>(row); })
        .sum();
  }
  static int loop(const numbers& in) {
    const std::size_t n = std::min(in.ints.size(), in.others.size());
    int sum = 0;
    for (std::size_t i = 0; i != n; ++i) sum += in.ints[i] + in.others[i] * in.bytes[i];
    return sum;
  }
};

struct enumerate {
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves)
        .enumerate()
        .map([](auto at) { return static_cast<long>(at.first) ^ at.second; })
        .sum();
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (std::size_t i = 0; i != in.longs.size(); ++i) sum += static_cast<long>(i) ^ in.longs[i];
    return sum;
  }
};

struct enumerate_filter {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .enumerate()
        .filter([](auto at) { return at.second > 100; })
        .map([](auto at) { return static_cast<int>(at.first) + at.second; })
        .sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (std::size_t i = 0; i != in.ints.size(); ++i)
      if (in.ints[i] > 100) sum += static_cast<int>(i) + in.ints[i];
    return sum;
  }
};

/// In a loop that begins with 0, compilers know which positions are even.
template <std::size_t Parity>
struct enumerate_filter_parity {
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves)
        .enumerate()
        .filter([](auto at) { return at.first % 2 == Parity; })
        .map([](auto at) { return at.second; })
        .sum();
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (std::size_t i = 0; i != in.longs.size(); ++i)
      if (i % 2 == Parity) sum += in.longs[i];
    return sum;
  }
};
struct enumerate_filter_even : enumerate_filter_parity<0> {};
struct enumerate_filter_odd : enumerate_filter_parity<1> {};

struct enumerate_filter_number {
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves)
        .enumerate()
        .filter([](auto at) { return at.first % 5 != 0; })
        .map([](auto at) { return at.second; })
        .sum();
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (std::size_t i = 0; i != in.longs.size(); ++i)
      if (i % 5 != 0) sum += in.longs[i];
    return sum;
  }
};

struct enumerate_filter_threefold {
  static std::size_t chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .enumerate()
        .filter([](auto at) { return at.second % 3 == 0; })
        .map([](auto at) { return at.first; })
        .sum();
  }
  static std::size_t loop(const numbers& in) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i != in.ints.size(); ++i)
      if (in.ints[i] % 3 == 0) sum += i;
    return sum;
  }
};

struct chain_of_two {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).chain(in.others).map([](int x) { return x ^ 3; }).sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (const int x : in.ints) sum += x ^ 3;
    for (const int x : in.others) sum += x ^ 3;
    return sum;
  }
};

struct chain_filter {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .chain(in.others)
        .filter([](int x) { return x > 100; })
        .sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (const int x : in.ints)
      if (x > 100) sum += x;
    for (const int x : in.others)
      if (x > 100) sum += x;
    return sum;
  }
};

struct chain_doubles {
  static double chain(const numbers& in) {
    return filch::par(in.doubles, long_leaves).chain(in.factors).sum();
  }
  static double loop(const numbers& in) {
    double sum = 0;
    for (const double x : in.doubles) sum += x;
    for (const double x : in.factors) sum += x;
    return sum;
  }
};

struct chain_map_doubles {
  static double chain(const numbers& in) {
    return filch::par(in.doubles, long_leaves)
        .chain(in.factors)
        .map([](double x) { return x * 2; })
        .sum();
  }
  static double loop(const numbers& in) {
    double sum = 0;
    for (const double x : in.doubles) sum += x * 2;
    for (const double x : in.factors) sum += x * 2;
    return sum;
  }
};

struct indices {
  static std::size_t chain(const numbers& in) {
    return filch::par_indices(std::size_t{0}, in.ints.size(), long_leaves)
        .map([](std::size_t i) { return i * i; })
        .filter([](std::size_t x) { return x % 5 == 1; })
        .sum();
  }
  static std::size_t loop(const numbers& in) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i != in.ints.size(); ++i)
      if (i * i % 5 == 1) sum += i * i;
    return sum;
  }
};

}  // namespace

void run_positions(const numbers& in) {
  chains::run_rows<take, skip, skip_filter, rev, step_by, zip, zip_filter, zip_three, enumerate,
                   enumerate_filter, enumerate_filter_even, enumerate_filter_odd,
                   enumerate_filter_number, enumerate_filter_threefold, chain_of_two, chain_filter,
                   chain_doubles, chain_map_doubles, indices>(in);
}

}  // namespace chains

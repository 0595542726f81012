// Rows whose adaptors look at one item after the other.
#include <cstdlib>
#include <optional>
#include <vector>

#include "rows.hpp"

namespace chains {
namespace {

/// map(f).filter(p) of numbers of one type, into a sum and a count.
template <class T, auto Of, class P>
struct map_filter_sum_of {
  static T twice_and_one(T x) { return static_cast<T>(2 * x + 1); }
  static T chain(const numbers& in) {
    return filch::par(in.*Of, long_leaves)
        .map([](T x) { return twice_and_one(x); })
        .filter(P())
        .sum();
  }
  static T loop(const numbers& in) {
    T sum = 0;
    for (const T x : in.*Of)
      if (const T y = twice_and_one(x); P()(y)) sum = static_cast<T>(sum + y);
    return sum;
  }
};
template <class T, auto Of, class P>
struct filter_sum_of {
  static auto chain(const numbers& in) { return filch::par(in.*Of, long_leaves).filter(P()).sum(); }
  static auto loop(const numbers& in) {
    decltype(chain(in)) sum = 0;  // of bytes, a wider number
    for (const T x : in.*Of)
      if (P()(x)) sum += x;
    return sum;
  }
};
template <class T, auto Of, class P>
struct filter_count_of {
  static std::size_t chain(const numbers& in) {
    return filch::par(in.*Of, long_leaves).filter(P()).count();
  }
  static std::size_t loop(const numbers& in) {
    std::size_t count = 0;
    for (const T x : in.*Of)
      if (P()(x)) ++count;
    return count;
  }
};
struct is_odd {
  template <class T>
  bool operator()(T x) const {
    return (x & 1) != 0;
  }
};
struct is_threefold {
  template <class T>
  bool operator()(T x) const {
    return x % 3 == 0;
  }
};
struct is_large {
  template <class T>
  bool operator()(T x) const {
    return x > 100;
  }
};
struct map_filter_sum_double : map_filter_sum_of<double, &numbers::doubles, is_large> {};
struct map_filter_sum_long : map_filter_sum_of<long, &numbers::longs, is_threefold> {};
struct map_filter_sum_int : map_filter_sum_of<int, &numbers::ints, is_large> {};
struct filter_odd_sum_int : filter_sum_of<int, &numbers::ints, is_odd> {};
struct filter_odd_sum_long : filter_sum_of<long, &numbers::longs, is_odd> {};
struct filter_large_sum_int : filter_sum_of<int, &numbers::ints, is_large> {};
struct filter_large_sum_byte : filter_sum_of<unsigned char, &numbers::bytes, is_large> {};
struct filter_threefold_sum_int : filter_sum_of<int, &numbers::ints, is_threefold> {};
struct filter_odd_count_int : filter_count_of<int, &numbers::ints, is_odd> {};
struct filter_large_count_byte : filter_count_of<unsigned char, &numbers::bytes, is_large> {};
struct filter_threefold_count_long : filter_count_of<long, &numbers::longs, is_threefold> {};

struct sum_double {
  static double chain(const numbers& in) { return filch::par(in.doubles, long_leaves).sum(); }
  static double loop(const numbers& in) {
    double sum = 0;
    for (const double x : in.doubles) sum += x;
    return sum;
  }
};

struct five_adaptors {
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves)
        .map([](long x) { return x * 3; })
        .filter([](long x) { return x % 2 == 0; })
        .map([](long x) { return x + 7; })
        .inspect([](long) {})
        .filter([](long x) { return x > 50; })
        .sum();
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (const long x : in.longs) {
      const long y = x * 3;
      if (y % 2 != 0) continue;
      const long z = y + 7;
      if (z > 50) sum += z;
    }
    return sum;
  }
};

struct inspect {
  static void must_not_be_negative(long x) {
    if (x < 0) std::abort();
  }
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves).inspect([](long x) { must_not_be_negative(x); }).sum();
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (const long x : in.longs) {
      must_not_be_negative(x);
      sum += x;
    }
    return sum;
  }
};

struct filter_map {
  static std::optional<int> half_of_even(int x) {
    return x % 2 == 0 ? std::optional<int>(x / 2) : std::nullopt;
  }
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).filter_map([](int x) { return half_of_even(x); }).sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (const int x : in.ints)
      if (const auto half = half_of_even(x)) sum += *half;
    return sum;
  }
};

struct map_init {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .map_init([] { return 3; }, [](int& state, int x) { return state + x; })
        .sum();
  }
  static int loop(const numbers& in) {
    int state = 3;
    chains::keep(state);
    int sum = 0;
    for (const int x : in.ints) sum += state + x;
    return sum;
  }
};

/// A state that its calls change. All calls run on one worker, which has one state.
struct map_init_changing {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .map_init([] { return 3; }, [](int& state, int x) { return x + (++state & 1); })
        .sum();
  }
  static int loop(const numbers& in) {
    int state = 3;
    int sum = 0;
    for (const int x : in.ints) sum += x + (++state & 1);
    return sum;
  }
};

struct for_each {
  static int chain(const numbers& in) {
    std::vector<int>& out = scratch();
    filch::par_indices(std::size_t{0}, in.ints.size(), long_leaves)
        .for_each([&in, &out](std::size_t i) { out[i] = in.ints[i] + 1; });
    return out[7];
  }
  static int loop(const numbers& in) {
    std::vector<int>& out = scratch();
    for (std::size_t i = 0; i != in.ints.size(); ++i) out[i] = in.ints[i] + 1;
    return out[7];
  }
  static std::vector<int>& scratch() {
    static std::vector<int> out(std::size_t{1} << 20);
    return out;
  }
};

struct reduce_by_function {
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves)
        .reduce([](long a, long b) { return (a + b) & 0xffff; })
        .value_or(0);
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (const long x : in.longs) sum = (sum + x) & 0xffff;
    return sum;
  }
};

struct filter_reduce {
  static long chain(const numbers& in) {
    return filch::par(in.longs, long_leaves).filter(is_odd()).reduce(0L, [](long a, long b) {
      return (a + b) & 0xffff;
    });
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (const long x : in.longs)
      if (is_odd()(x)) sum = (sum + x) & 0xffff;
    return sum;
  }
};

template <class T, auto Of>
struct min_of {
  static T chain(const numbers& in) { return filch::par(in.*Of, long_leaves).min().value_or(0); }
  static T loop(const numbers& in) {
    T best = (in.*Of)[0];
    for (const T x : in.*Of)
      if (x < best) best = x;
    return best;
  }
};
struct min_int : min_of<int, &numbers::ints> {};
struct min_double : min_of<double, &numbers::doubles> {};
struct max_map_int {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).map([](int x) { return x ^ 5; }).max().value_or(0);
  }
  static int loop(const numbers& in) {
    int best = in.ints[0] ^ 5;
    for (const int x : in.ints)
      if (const int y = x ^ 5; best < y) best = y;
    return best;
  }
};
struct filter_max_int {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).filter(is_odd()).max().value_or(-1);
  }
  static int loop(const numbers& in) {
    std::optional<int> best;
    for (const int x : in.ints)
      if (is_odd()(x) && (!best || *best < x)) best = x;
    return best.value_or(-1);
  }
};
struct min_by_key {
  static int key(int x) { return (x * 37) & 1023; }
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).min_by_key([](int x) { return key(x); }).value_or(-1);
  }
  static int loop(const numbers& in) {
    int best = in.ints[0];
    int key_of_best = key(best);
    for (const int x : in.ints)
      if (const int k = key(x); k < key_of_best) {
        best = x;
        key_of_best = k;
      }
    return best;
  }
};
struct minmax_int {
  static int chain(const numbers& in) {
    const auto both = filch::par(in.ints, long_leaves).minmax();
    return both->max - both->min;
  }
  static int loop(const numbers& in) {
    int least = in.ints[0];
    int most = in.ints[0];
    for (const int x : in.ints) {
      if (x < least) least = x;
      if (!(x < most)) most = x;
    }
    return most - least;
  }
};

struct find_first {
  static std::optional<int> chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).find_first([](int x) { return x < 0; });
  }
  static std::optional<int> loop(const numbers& in) {
    for (const int x : in.ints)
      if (x < 0) return x;
    return std::nullopt;
  }
};
struct map_find_any {
  static std::optional<int> chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).map([](int x) { return x * 3; }).find_any([](int x) {
      return x < 0;
    });
  }
  static std::optional<int> loop(const numbers& in) {
    for (const int x : in.ints)
      if (const int y = x * 3; y < 0) return y;
    return std::nullopt;
  }
};
struct position_first {
  static std::size_t chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .position_first([](int x) { return x < 0; })
        .value_or(in.ints.size());
  }
  static std::size_t loop(const numbers& in) {
    std::size_t i = 0;
    while (i != in.ints.size() && in.ints[i] >= 0) ++i;
    return i;
  }
};
struct all_of {
  static bool chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).all([](int x) { return x >= 0; });
  }
  static bool loop(const numbers& in) {
    for (const int x : in.ints)
      if (x < 0) return false;
    return true;
  }
};

}  // namespace

void run_elements(const numbers& in) {
  chains::run_rows<map_filter_sum_double, map_filter_sum_long, map_filter_sum_int,
                   filter_odd_sum_int, filter_odd_sum_long, filter_large_sum_int,
                   filter_large_sum_byte, filter_threefold_sum_int, filter_odd_count_int,
                   filter_large_count_byte, filter_threefold_count_long, sum_double, five_adaptors,
                   inspect, filter_map, map_init, map_init_changing, for_each, reduce_by_function,
                   filter_reduce, min_int, min_double, max_map_int, filter_max_int, min_by_key,
                   minmax_int, find_first, map_find_any, position_first, all_of>(in);
}

}  // namespace chains

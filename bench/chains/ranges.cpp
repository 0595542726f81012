// Rows with several items at once: neighbours, and ranges within a range.
#include <algorithm>
#include <cstddef>
#include <list>
#include <span>
#include <vector>

#include "rows.hpp"

namespace chains {
namespace {

/// The sums of parts of `Length` items each, and of the rest.
template <std::size_t Length>
struct chunks_of {
  static int sum_of(std::span<const int> part) {
    int sum = 0;
    for (const int x : part) sum += x;
    return sum;
  }
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .chunks(Length)
        .map([](auto part) { return sum_of(part) & 255; })
        .sum();
  }
  static int loop(const numbers& in) {
    std::size_t length = Length;
    chains::keep(length);
    int sum = 0;
    for (std::size_t i = 0; i < in.ints.size(); i += length)
      sum += sum_of({&in.ints[i], std::min(length, in.ints.size() - i)}) & 255;
    return sum;
  }
};
struct chunks_of_4 : chunks_of<4> {};
struct chunks_of_16 : chunks_of<16> {};
struct chunks_of_100 : chunks_of<100> {};

/// Reads only one item of each part.
struct chunks_first {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .chunks(3)
        .map([](auto part) { return part.front() + part.back(); })
        .sum();
  }
  static int loop(const numbers& in) {
    std::size_t length = 3;
    chains::keep(length);
    int sum = 0;
    for (std::size_t i = 0; i < in.ints.size(); i += length) {
      const std::span<const int> part(&in.ints[i], std::min(length, in.ints.size() - i));
      sum += part.front() + part.back();
    }
    return sum;
  }
};

struct chunks_of_mapped {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .map([](int x) { return x ^ 3; })
        .chunks(16)
        .map([](auto part) {
          int sum = 0;
          for (const int x : part) sum += x;
          return sum & 255;
        })
        .sum();
  }
  static int loop(const numbers& in) {
    std::size_t length = 16;
    chains::keep(length);
    int sum = 0;
    for (std::size_t i = 0; i < in.ints.size(); i += length) {
      int part = 0;
      const std::size_t end = i + std::min(length, in.ints.size() - i);
      for (std::size_t k = i; k != end; ++k) part += in.ints[k] ^ 3;
      sum += part & 255;
    }
    return sum;
  }
};

struct windows {
  static int chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .windows(3)
        .map([](auto w) { return (w[0] + w[1] + w[2]) & 255; })
        .sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (std::size_t i = 0; i + 3 <= in.ints.size(); ++i)
      sum += (in.ints[i] + in.ints[i + 1] + in.ints[i + 2]) & 255;
    return sum;
  }
};

struct windows_all {
  static bool chain(const numbers& in) {
    return filch::par(in.ints, long_leaves).windows(2).all([](auto w) { return w[0] + w[1] >= 0; });
  }
  static bool loop(const numbers& in) {
    for (std::size_t i = 0; i + 2 <= in.ints.size(); ++i)
      if (in.ints[i] + in.ints[i + 1] < 0) return false;
    return true;
  }
};

struct chunk_by {
  static std::size_t chain(const numbers& in) {
    return filch::par(in.ints, long_leaves)
        .chunk_by([](int a, int b) { return a <= b; })
        .map([](auto part) { return part.size() * part.size(); })
        .sum();
  }
  static std::size_t loop(const numbers& in) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i != in.ints.size();) {
      std::size_t end = i + 1;
      while (end != in.ints.size() && in.ints[end - 1] <= in.ints[end]) ++end;
      sum += (end - i) * (end - i);
      i = end;
    }
    return sum;
  }
};

/// Inner ranges of numbers, of computed numbers, with a filter, and of containers.
struct flat_map_indices {
  static int chain(const numbers& in) {
    return chains::par_without_clock(in.lengths)
        .flat_map([](int n) { return filch::par_indices(0, n); })
        .map([](int x) { return x ^ 3; })
        .sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (const int n : in.lengths)
      for (int x = 0; x < n; ++x) sum += x ^ 3;
    return sum;
  }
};
struct flat_map_filter {
  static long chain(const numbers& in) {
    return chains::par_without_clock(in.lengths)
        .flat_map(
            [](int n) { return filch::par_indices(0, n).map([n](int x) { return long{x} * n; }); })
        .filter([](long x) { return x % 3 != 0; })
        .sum();
  }
  static long loop(const numbers& in) {
    long sum = 0;
    for (const int n : in.lengths)
      for (int x = 0; x < n; ++x)
        if (const long y = long{x} * n; y % 3 != 0) sum += y;
    return sum;
  }
};
struct flat_map_lists {
  static int chain(const numbers& in) {
    return chains::par_without_clock(in.lists)
        .flat_map([](const std::vector<int>& list) { return std::span<const int>(list); })
        .sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (const std::vector<int>& list : in.lists)
      for (const int x : list) sum += x;
    return sum;
  }
};
struct flat_map_spans {
  static double chain(const numbers& in) {
    return chains::par_without_clock(in.lengths)
        .flat_map(
            [&in](int n) { return std::span(in.doubles.data(), static_cast<std::size_t>(n)); })
        .sum();
  }
  static double loop(const numbers& in) {
    double sum = 0;
    for (const int n : in.lengths)
      for (int i = 0; i < n; ++i) sum += in.doubles[static_cast<std::size_t>(i)];
    return sum;
  }
};
struct flat_map_doubles {
  static double chain(const numbers& in) {
    return chains::par_without_clock(in.lengths)
        .flat_map([](int n) { return filch::par_indices(0, n); })
        .map([](int x) { return x * 0.5; })
        .sum();
  }
  static double loop(const numbers& in) {
    double sum = 0;
    for (const int n : in.lengths)
      for (int x = 0; x < n; ++x) sum += x * 0.5;
    return sum;
  }
};
struct flat_map_count {
  static std::size_t chain(const numbers& in) {
    return chains::par_without_clock(in.lists)
        .flat_map([](const std::vector<int>& list) { return std::span<const int>(list); })
        .filter([](int x) { return x > 100; })
        .count();
  }
  static std::size_t loop(const numbers& in) {
    std::size_t count = 0;
    for (const std::vector<int>& list : in.lists)
      for (const int x : list)
        if (x > 100) ++count;
    return count;
  }
};
/// Inner ranges without random access.
struct flat_map_links {
  static int chain(const numbers& in) {
    return chains::par_without_clock(in.links)
        .flat_map([](const std::list<int>& list) -> const std::list<int>& { return list; })
        .sum();
  }
  static int loop(const numbers& in) {
    int sum = 0;
    for (const std::list<int>& list : in.links)
      for (const int x : list) sum += x;
    return sum;
  }
};
struct flatten {
  static int chain(const numbers& in) {
    return chains::par_without_clock(in.lists).flatten().sum();
  }
  static int loop(const numbers& in) { return flat_map_lists::loop(in); }
};

}  // namespace

void run_ranges(const numbers& in) {
  chains::run_rows<chunks_of_4, chunks_of_16, chunks_of_100, chunks_first, chunks_of_mapped,
                   windows, windows_all, chunk_by, flat_map_indices, flat_map_filter,
                   flat_map_lists, flat_map_spans, flat_map_doubles, flat_map_count, flat_map_links,
                   flatten>(in);
}

}  // namespace chains

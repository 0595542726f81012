// error: without a comparator those need a
#include <vector>

#include "filch/ranges.hpp"

struct point {
  int x, y;
};

// What has no order has no smallest.
[[maybe_unused]] static void misuse() {
  std::vector<point> points;
#ifdef FILCH_MISUSE
  (void)filch::par(points).min();
#else
  (void)filch::par(points).min_by_key(&point::x);
#endif
}

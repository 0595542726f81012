// A lock held over a wait: isolate(), or the option, keeps the waiting thread from running a job
// that wants the lock.
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <vector>

#include "filch/filch.hpp"

namespace {

struct table {
  std::mutex mutex;
  std::vector<long> cells = std::vector<long>(1 << 14, 1);
};

long sum(const long* first, const long* last) {
  if (last - first < 1024) return std::accumulate(first, last, 0L);
  const long* const middle = first + (last - first) / 2;
  const auto [left, right] =
      filch::join([=] { return sum(first, middle); }, [=] { return sum(middle, last); });
  return left + right;
}

/// Without isolate() the join could run another update on this thread, which would lock the same
/// mutex a second time and hang.
long update(table& t) {
  const std::scoped_lock lock(t.mutex);
  for (long& cell : t.cells) ++cell;
  return filch::isolate([&] { return sum(t.cells.data(), t.cells.data() + t.cells.size()); });
}

/// The same with a scope: its wait runs only its own tasks.
void update_in_parts(table& t) {
  const std::scoped_lock lock(t.mutex);
  filch::scope parts({.isolate = true});
  for (std::size_t first = 0; first < t.cells.size(); first += 1024)
    parts.spawn([&t, first] {
      for (std::size_t i = first; i < first + 1024; ++i) ++t.cells[i];
    });
  parts.wait();
}

}  // namespace

int main() {
  table t;
  filch::scoped([&](filch::scope& s) {
    for (int i = 0; i < 100; ++i) {
      s.spawn([&] { (void)update(t); });
      s.spawn([&] { update_in_parts(t); });
    }
  });
  // A whole task can be isolated, too.
  const long last = filch::submit([&] { return update(t); }, {.isolate = true}).get();
  std::printf("after 201 updates the sum is %ld\n", last);
  return last == 202L * (1 << 14) ? 0 : 1;
}

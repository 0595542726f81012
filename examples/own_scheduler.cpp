// A scheduler of your own on filch::deque: for programs that need only the deque and not a pool. A
// worker takes its own newest item, or else the oldest item of another. The items are ranges of
// numbers to sum. A worker halves its range until that is small, and leaves the other halves to
// thieves.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "filch/deque.hpp"

namespace {

struct range {
  unsigned first, last;
};

struct shared {
  std::vector<std::unique_ptr<filch::deque<range>>> deques;
  std::atomic<long> sum = 0;
  std::atomic<unsigned> left;  // numbers that are not summed yet: 0 means the end
};

bool find(shared& all, unsigned me, range& found) {
  if (const auto mine = all.deques[me]->pop()) return found = *mine, true;
  for (unsigned i = 1; i < all.deques.size(); ++i) {
    auto stolen = all.deques[(me + i) % all.deques.size()]->steal();
    if (stolen) return found = stolen.item, true;
  }
  return false;
}

void work(shared& all, unsigned me) {
  for (range r{}; all.left > 0;) {
    if (!find(all, me, r)) continue;
    for (; r.last - r.first > 100; r.last = r.first + (r.last - r.first) / 2)
      all.deques[me]->push({r.first + (r.last - r.first) / 2, r.last});
    long part = 0;
    for (unsigned n = r.first; n < r.last; ++n) part += n;
    all.sum += part;
    all.left -= r.last - r.first;
  }
}

}  // namespace

int main() {
  constexpr unsigned count = 1'000'000;
  shared all{.deques = {}, .sum = 0, .left = count};
  for (int i = 0; i < 4; ++i) all.deques.push_back(std::make_unique<filch::deque<range>>());
  all.deques[0]->push({0, count});
  all.deques[0]->hand_over();  // pushed here, owned by the worker below
  std::vector<std::thread> team;
  for (unsigned me = 0; me < all.deques.size(); ++me)
    team.emplace_back([&all, me] { work(all, me); });
  for (auto& t : team) t.join();
  std::printf("the sum is %ld\n", all.sum.load());
  return all.sum == long{count} * (count - 1) / 2 ? 0 : 1;
}

// One deque, shared by its owner and a few thieves: which thread takes which item, in which order?
//
// The owner pushes 1, 2, 3, ... and sometimes takes the newest item back; thieves take the oldest.
// The program checks that each item was taken exactly once.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "filch/deque.hpp"

namespace {

constexpr int items = 60;
constexpr int thieves = 3;
constexpr std::size_t width = 24;  // items per line of the table

/// What one thread took, each item with its time: a count of all takes, noted just after the take.
struct log {
  std::string name;
  std::vector<int> taken;
  std::vector<int> moments;

  void add(int item, std::atomic<int>& clock) {
    taken.push_back(item);
    moments.push_back(++clock);
  }
};

/// A few microseconds of work, so that the threads take turns.
void work() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

void own(filch::deque<int>& deque, log& mine, std::atomic<int>& clock) {
  for (int item = 1; item <= items; ++item) {
    deque.push(item);
    if (item % 3 != 0) continue;
    if (const auto newest = deque.pop()) mine.add(*newest, clock);
    work();
  }
  while (const auto newest = deque.pop()) {
    mine.add(*newest, clock);
    work();
  }
}

void rob(filch::deque<int>& deque, log& mine, std::atomic<int>& clock, std::atomic<bool>& done) {
  while (!done) {
    if (const auto oldest = deque.steal()) mine.add(oldest.item, clock);
    work();
  }
}

void print_row(const char* name, const char* what, const std::vector<int>& numbers) {
  for (std::size_t i = 0; i < numbers.size() || i == 0; ++i) {
    if (i % width == 0) std::printf("%s%-8s %-6s", i == 0 ? "" : "\n", i == 0 ? name : "", what);
    if (i < numbers.size()) std::printf(" %2d", numbers[i]);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  filch::deque<int> deque(8);  // small, to show that it grows
  std::atomic<int> clock{0};
  std::atomic<bool> done{false};
  std::vector<log> logs(1 + thieves);

  std::vector<std::thread> team;
  for (std::size_t n = 1; n < logs.size(); ++n) {
    logs[n].name = "thief " + std::to_string(n);
    team.emplace_back([&, n] { rob(deque, logs[n], clock, done); });
  }
  logs[0].name = "owner";
  own(deque, logs[0], clock);
  done = true;
  for (auto& thief : team) thief.join();

  std::printf("%d items, 1 owner (takes the newest), %d thieves (take the oldest), %u cores\n\n",
              items, thieves, std::thread::hardware_concurrency());
  std::vector<int> times_taken(items + 1, 0);
  for (const log& one : logs) {
    print_row(one.name.c_str(), "item", one.taken);
    print_row("", "moment", one.moments);
    for (const int item : one.taken) ++times_taken.at(static_cast<std::size_t>(item));
  }
  const auto right = std::count(times_taken.begin() + 1, times_taken.end(), 1);
  std::printf("\n%d of %d items were taken exactly once\n", static_cast<int>(right), items);
  return right == items ? 0 : 1;
}

// Quicksort: partition, then sort both sides at once.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "filch/join.hpp"

namespace {

constexpr std::size_t small = 1000;  // sorting less than this costs less than handing it over

void quicksort(std::span<int> v) {
  if (v.size() <= small) {
    std::sort(v.begin(), v.end());
    return;
  }
  // The median of three, so that sorted input is not a bad case.
  const int a = v.front(), b = v[v.size() / 2], c = v.back();
  const int pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
  const auto low_end = std::partition(v.begin(), v.end(), [pivot](int x) { return x < pivot; });
  const auto high_begin = std::partition(low_end, v.end(), [pivot](int x) { return x == pivot; });
  filch::join([&] { quicksort({v.begin(), low_end}); }, [&] { quicksort({high_begin, v.end()}); });
}

}  // namespace

int main() {
  std::mt19937 random(1);
  std::vector<int> numbers(300'000);
  for (int& n : numbers) n = static_cast<int>(random() % 1'000'000);
  std::vector<int> expected = numbers;
  std::sort(expected.begin(), expected.end());

  quicksort(numbers);

  const bool right = numbers == expected;
  std::printf("%zu numbers, %s\n", numbers.size(), right ? "sorted" : "NOT sorted");
  return right ? 0 : 1;
}

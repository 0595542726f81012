// A program of a user. Prints what the packaging tests look for.
#include <cstdio>
#include <filch/deque.hpp>

// Without the library there is only the deque.
#ifndef HEADER_ONLY
#include <filch/filch.hpp>
#endif

int main() {
  filch::deque<int> deque;
  for (const int item : {1, 2, 3}) deque.push(item);
  const auto oldest = deque.steal();
  std::printf("newest %d, oldest %d, checks %d\n", deque.pop().value_or(0),
              oldest ? oldest.item : 0, FILCH_CHECKS);
#ifndef HEADER_ONLY
  std::printf("headers %s, library %s\n", filch::header_version, filch::library_version());
  const auto [one, two] = filch::join([] { return 1; }, [] { return 2; });
  filch::pool pool(2);
  const auto [three, four] =
      pool.install([] { return filch::join([] { return 3; }, [] { return 4; }); });
  std::printf("joined %d %d %d %d\n", one, two, three, four);
#endif
}

// A plug-in that uses filch, and leaves its default pool alive.
#include <cstddef>
#include <filch/filch.hpp>
#include <stdexcept>
#include <vector>

extern "C" int work() {
  std::vector<int> v(10000);
  filch::parallel_for(std::size_t{0}, v.size(), [&](std::size_t i) { v[i] = 1; }, {.grain = 10});
  const auto [sum, nothing] = filch::join([&] { return filch::reduce(v, 0); }, [] {});
  int spawned = 0;
  filch::scoped([&](filch::scope& s) { s.spawn([&] { spawned = 1; }); });
  const int submitted = filch::default_pool().submit([] { return 1; }).get();
  int thrown = 0;
  try {
    filch::join([] { throw std::runtime_error("first"); },
                [] { throw std::runtime_error("second"); });
  } catch (const std::runtime_error&) {
    thrown = static_cast<int>(filch::suppressed().size());
  }
  return sum == 10000 && spawned + submitted + thrown == 3 ? 1 : 0;
}

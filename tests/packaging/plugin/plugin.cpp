// A plug-in that uses filch, and leaves its default pool alive.
#include <cstddef>
#include <filch/filch.hpp>
#include <stdexcept>
#include <vector>

/// On the calling thread nothing of filch is left to destroy when the thread ends.
extern "C" int loops() {
  std::vector<int> v(10000);
  filch::parallel_for(std::size_t{0}, v.size(), [&](std::size_t i) { v[i] = 1; }, {.grain = 10});
  const auto [sum, nothing] = filch::join([&] { return filch::reduce(v, 0); }, [] {});
  return sum == 10000 ? 1 : 0;
}

/// Here something may be left.
extern "C" int tasks() {
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
  return spawned + submitted + thrown == 3 ? 1 : 0;
}

extern "C" const void* pool_of_plug_in() { return &filch::default_pool(); }
extern "C" void end_pool_of_plug_in() { filch::shutdown_default_pool(); }

// A trace of what every worker did at which time. Open the file in https://ui.perfetto.dev, in
// chrome://tracing, or with `filch report`. FILCH_TRACE=file does the same without a change to the
// program.
#include "filch/trace.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "filch/algorithm.hpp"
#include "filch/pool.hpp"

namespace {

double simulate(int steps) {
  const filch::trace_span span("simulate");
  double sum = 0;
  for (int i = 1; i <= steps; ++i) sum += 1.0 / i;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path =
      argc > 1 ? argv[1] : (std::filesystem::temp_directory_path() / "filch_trace.json").string();
  try {
    filch::trace trace(path);
    filch::pool pool(2);
    pool.install([] {
      const filch::trace_span span("all of it");
      filch::parallel_for(0, 100, [](int i) { simulate(i * 1000); }, {.grain = 1});
    });
    filch::trace_counter("done", 100);
    if (trace.finish()) return 1;  // it has printed why
  } catch (const std::system_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  std::printf("%s has %ju bytes\n", path.c_str(),
              static_cast<std::uintmax_t>(std::filesystem::file_size(path)));
  if (argc == 1) std::filesystem::remove(path);
  return 0;
}

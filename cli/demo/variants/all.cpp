// FILCH_DEMO_OPENMP and FILCH_DEMO_ONETBB say which libraries were found when this was built.
#include "demo/variant.hpp"

namespace filch::cli {

std::vector<std::unique_ptr<variant>> all_variants(std::size_t workers, filch::pool& pool) {
  std::vector<std::unique_ptr<variant>> all;
  all.push_back(make_serial());
  all.push_back(make_static_threads(workers));
  all.push_back(make_mutex_queue(workers));
#if FILCH_DEMO_OPENMP
  all.push_back(make_openmp_static(workers));
  all.push_back(make_openmp_dynamic(workers));
#endif
#if FILCH_DEMO_ONETBB
  all.push_back(make_onetbb(workers));
#endif
  all.push_back(make_filch(pool));
  return all;
}

std::vector<std::string> missing_variants() {
  std::vector<std::string> missing;
#if !FILCH_DEMO_OPENMP
  missing.emplace_back(
      "OpenMP is left out: this program was built without it (on Debian, g++ brings it; for "
      "clang++ "
      "install libomp-dev)");
#endif
#if !FILCH_DEMO_ONETBB
  missing.emplace_back(
      "oneTBB is left out: this program was built without it (on Debian, install libtbb-dev)");
#endif
  return missing;
}

}  // namespace filch::cli

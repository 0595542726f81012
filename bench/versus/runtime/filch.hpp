// filch, as in its README: one pool.
#pragma once

#include <cstddef>
#include <string>

#include "filch/pool.hpp"
#include "filch/version.hpp"

namespace bench {

class on_filch {
 public:
  static const char* name() { return "filch"; }
  static std::string version() { return filch::header_version; }
  explicit on_filch(int workers) : on_filch(workers, {}) {}
  on_filch(int workers, filch::pool_options settings)
      : pool_((settings.threads = static_cast<std::size_t>(workers), settings)) {}

  template <class F>
  auto run(F f) {
    return pool_.install(f);
  }
  filch::pool& pool() { return pool_; }

 private:
  filch::pool pool_;
};

}  // namespace bench

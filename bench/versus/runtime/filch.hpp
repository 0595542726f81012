// filch, as in its README: one pool. With FILCH_FROM_MAIN the default pool, called from main as
// most programs call it; else from a worker.
#pragma once

#include <cstddef>
#include <string>

#include "filch/pool.hpp"
#include "filch/version.hpp"

namespace bench {

#ifdef FILCH_FROM_MAIN

class on_filch {
 public:
  static const char* name() { return "filch_main"; }
  static std::string version() { return filch::header_version; }
  explicit on_filch(int workers) {
    filch::configure_default_pool({.threads = static_cast<std::size_t>(workers)});
  }
  on_filch(const on_filch&) = delete;
  on_filch& operator=(const on_filch&) = delete;
  ~on_filch() { filch::shutdown_default_pool(); }

  template <class F>
  auto run(F f) {
    return f();
  }
  filch::pool& pool() { return filch::default_pool(); }
};

#else

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

#endif

}  // namespace bench

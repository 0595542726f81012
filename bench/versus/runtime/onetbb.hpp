// oneTBB: an arena for the work, and a limit for the threads of the process. The thread that calls
// run() is one of the workers.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

#include <cstddef>
#include <string>

namespace bench {

class on_onetbb {
 public:
  static const char* name() { return "onetbb"; }
  static std::string version() { return TBB_runtime_version(); }
  explicit on_onetbb(int workers) : on_onetbb(workers, 1) {}

  template <class F>
  auto run(F f) {
    return arena_.execute(f);
  }
  tbb::task_arena& arena() { return arena_; }

 protected:
  /// Reserves `places` of the workers for outside threads.
  on_onetbb(int workers, int places)
      : limit_(tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(workers + 1 - places)),
        arena_(workers, static_cast<unsigned>(places)) {}

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

/// The same, but all workers are threads of oneTBB, as in a pool that is fed from outside.
class on_onetbb_from_outside : public on_onetbb {
 public:
  explicit on_onetbb_from_outside(int workers) : on_onetbb(workers, 0) {}
};

}  // namespace bench

// A machine with a single CPU, as seen by this thread and the pools that it makes.
#pragma once

#include <sched.h>

namespace filch::test {

/// Keeps the calling thread, which must be the main one, on one CPU while this lives. Pools that
/// are made meanwhile stay there too.
class one_cpu {
 public:
  one_cpu() {
    sched_getaffinity(0, sizeof before_, &before_);
    int first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  one_cpu(const one_cpu&) = delete;
  one_cpu& operator=(const one_cpu&) = delete;
  ~one_cpu() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

}  // namespace filch::test

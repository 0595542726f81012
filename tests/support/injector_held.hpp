// Prevents jobs from being taken out of an injector.
#pragma once

#include <thread>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/queue/injector.hpp"
#include "filch/detail/sched/listed_job.hpp"

namespace filch::test {

/// The lock of an injector is private, and only a test needs it. An explicit instantiation may name
/// it all the same.
namespace injector_lock {

using outside = detail::injector<detail::listed_job>;

detail::atomic<bool> outside::*member();

template <detail::atomic<bool> outside::*Member>
struct found {
  friend detail::atomic<bool> outside::*member() { return Member; }
};
template struct found<&outside::turn_>;

}  // namespace injector_lock

/// While it lives, it holds the injector's lock: jobs can be put in, but not taken out.
class injector_held {
 public:
  explicit injector_held(injector_lock::outside& i) : turn_(i.*injector_lock::member()) {
    while (turn_.exchange(true)) std::this_thread::yield();
  }
  injector_held(const injector_held&) = delete;
  injector_held& operator=(const injector_held&) = delete;
  ~injector_held() { turn_.store(false); }

 private:
  detail::atomic<bool>& turn_;
};

}  // namespace filch::test

// A pool without threads. The test plays its workers, so their actions are repeatable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/options.hpp"

namespace filch::test {

/// The calling thread plays `w` for as long as this lives.
class playing {
 public:
  explicit playing(detail::worker& w) : before_(detail::worker::set_current(&w)) {}
  playing(const playing&) = delete;
  playing& operator=(const playing&) = delete;
  ~playing() { detail::worker::set_current(before_); }

 private:
  detail::worker* before_;
};

/// Jobs are numbers. Running a job records its number. One thread only.
class stage {
 public:
  explicit stage(pool_options settings)
      : home_(std::make_shared<detail::registry>(std::move(settings))) {}
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;
  ~stage() { home_->wakes.wake_all(); }

  detail::registry& home() { return *home_; }
  detail::worker& worker(std::size_t i) { return home_->participants[i]; }

  /// Gives worker `i` a job, as one of its tasks would.
  void give(std::size_t i, int number) { (void)worker(i).push(make(number)); }
  void inject(int number, priority level = priority::normal) {
    home_->accepts.inject(make(number), level);
  }
  void put_in_inbox(std::size_t i, int number) { worker(i).inbox.put(make(number)); }

  /// From now on `w` sleeps, as other participants see it.
  void put_to_sleep(detail::worker& w) {
    home_->wakes.sleeping().announce(w.loop.idle_parker(), [] {});
  }
  static bool is_asleep(detail::worker& w) { return w.loop.idle_parker().is_asleep(); }

  /// The start of each worker counts as a task. This ends these tasks, so that the pool is idle.
  void end_starts() {
    for (std::size_t i = 0; i < home_->size(); ++i) worker(i).tasks.close();
  }

  /// Worker `i` runs `count` jobs as it finds them. Returns their numbers. It must find that many.
  std::vector<int> play(std::size_t i, std::size_t count) {
    detail::latch done;
    done_ = &done;
    left_ = count;
    ran_.clear();
    const playing as(worker(i));
    (void)worker(i).loop.wait(done);
    return std::move(ran_);
  }

 private:
  class numbered final : public detail::listed_job {
   public:
    numbered(stage& on, int number) : listed_job(&numbered::entry), on_(on), number_(number) {}

   private:
    static void entry(detail::job& self) noexcept {
      auto& job = static_cast<numbered&>(self);
      job.on_.ran_.push_back(job.number_);
      if (--job.on_.left_ == 0) detail::latch::set(*job.on_.done_);
    }
    stage& on_;
    int number_;
  };

  detail::listed_job* make(int number) {
    jobs_.push_back(std::make_unique<numbered>(*this, number));
    return jobs_.back().get();
  }

  std::shared_ptr<detail::registry> home_;
  std::vector<std::unique_ptr<numbered>> jobs_;
  std::vector<int> ran_;
  std::size_t left_ = 0;
  detail::latch* done_ = nullptr;
};

}  // namespace filch::test

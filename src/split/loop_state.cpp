// What a loop does rarely: it notices a stop request, reports progress, or ends early.
#include "filch/detail/split/loop_state.hpp"

#include <atomic>

#include "filch/detail/base/early_end.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

constexpr std::size_t most_reports = 1000;  // `progress` is called about so many times at most

/// Lets the next thread report, also if the user's function throws.
class leaving_report {
 public:
  explicit leaving_report(std::atomic<bool>& flag) noexcept : flag_(flag) {}
  leaving_report(const leaving_report&) = delete;
  leaving_report& operator=(const leaving_report&) = delete;
  ~leaving_report() { flag_.store(false, std::memory_order_release); }  // [report]

 private:
  std::atomic<bool>& flag_;
};

}  // namespace

void loop_state::throw_cancelled() const {
  if (!options_.stop.stop_requested())
    throw cancelled(
        "filch: the options::deadline of a loop passed, and it has skipped what had not started");
  throw cancelled(
      "filch: a loop was asked to stop by its options, and has skipped what had not started");
}

bool loop_state::stop_seen() noexcept {
  if (!is_to_end(options_)) return false;
  stopped_.store(true, std::memory_order_relaxed);  // orders nothing: joins do
  end_.store(0, std::memory_order_relaxed);         // orders nothing: see class
  return true;
}

/// One thread at a time reports. The others add to `done_` and leave the report to it or to a later
/// call.
void loop_state::report(std::size_t items) {
  done_.fetch_add(items, std::memory_order_relaxed);                 // orders nothing: a counter
  if (reporting_.exchange(true, std::memory_order_acquire)) return;  // [report]
  const leaving_report leave(reporting_);
  const std::size_t done = done_.load(std::memory_order_relaxed);  // orders nothing: a counter
  if (done - reported_items_ <= total_ / most_reports && done != total_) return;
  if (done == reported_items_) return;
  reported_items_ = done;
  options_.progress(done, total_);
}

}  // namespace filch::detail

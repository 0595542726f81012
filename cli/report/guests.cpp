#include "report/guests.hpp"

#include <algorithm>

namespace filch::report {
namespace {

/// Collects the visits of one thread.
class visits {
 public:
  visits(std::uint32_t thread, std::vector<trace_interval>& parts)
      : thread_(thread), parts_(parts) {}
  visits(const visits&) = delete;
  visits& operator=(const visits&) = delete;
  ~visits() { busy_until(end_); }

  /// Must be called in the order of begins.
  void add(const trace_interval& i) {
    const std::uint64_t end = i.begin_ns + i.duration_ns;
    if (i.kind == interval_kind::guest) {
      if (i.begin_ns > end_) {
        busy_until(end_);
        from_ = std::max(from_, i.begin_ns);
      }
      end_ = std::max(end_, end);
    } else if (i.kind == interval_kind::idle || i.kind == interval_kind::sleep) {
      busy_until(std::min(i.begin_ns, end_));
      from_ = std::max(from_, end);
    }
  }

 private:
  void busy_until(std::uint64_t now) {
    if (now <= from_) return;
    parts_.push_back({from_, now - from_, thread_, 0, interval_kind::part});
    from_ = now;
  }

  std::uint32_t thread_;
  std::vector<trace_interval>& parts_;
  std::uint64_t from_ = 0;  // since when it is busy as a guest, if that is before end_
  std::uint64_t end_ = 0;   // the end of its visit, or of the last one
};

bool comes_before(const trace_interval& a, const trace_interval& b) {
  if (a.thread != b.thread) return a.thread < b.thread;
  if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
  return a.duration_ns > b.duration_ns;
}

}  // namespace

void work_out_parts(std::vector<trace_interval>& intervals) {
  std::vector<trace_interval> parts;
  for (auto at = intervals.begin(); at != intervals.end();) {
    visits all(at->thread, parts);
    for (const std::uint32_t thread = at->thread; at != intervals.end() && at->thread == thread;
         ++at)
      all.add(*at);
  }
  std::erase_if(intervals, [](const trace_interval& i) { return i.kind == interval_kind::idle; });
  if (parts.empty()) return;
  const auto middle = static_cast<std::ptrdiff_t>(intervals.size());
  intervals.insert(intervals.end(), parts.begin(), parts.end());
  std::inplace_merge(intervals.begin(), intervals.begin() + middle, intervals.end(), comes_before);
}

}  // namespace filch::report

#include "report/event_code.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

namespace filch::report {
namespace {

void put(std::string& bytes, std::uint64_t number) {
  while (number >= 0x80U) {
    bytes.push_back(static_cast<char>((number & 0x7FU) | 0x80U));
    number >>= 7U;
  }
  bytes.push_back(static_cast<char>(number));
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(i + k > bytes.size() ? '=' : digits[group >> (18U - 6U * k) & 0x3FU]);
  }
  return text;
}

/// Chooses the intervals that are kept: the longest. If those of the shortest kept duration do not
/// all fit, some of them are kept, spread over the whole time.
class selection {
 public:
  selection(const trace_data& trace, std::size_t most) {
    if (trace.intervals.size() <= most) return;
    std::vector<std::uint64_t> durations;
    durations.reserve(trace.intervals.size());
    for (const trace_interval& i : trace.intervals) durations.push_back(i.duration_ns);
    const auto first_left_out = durations.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(durations.begin(), first_left_out, durations.end(), std::greater<>{});
    limit_ = *first_left_out;
    kept_ = most;
    for (const std::uint64_t d : durations) {
      tied_ += d == limit_ ? 1 : 0;
      kept_ -= d > limit_ ? 1 : 0;
    }
  }

  /// Must be called for all intervals in order.
  bool keeps(const trace_interval& i) noexcept {
    if (tied_ == 0 || i.duration_ns != limit_) return i.duration_ns >= limit_;
    share_ += kept_;
    if (share_ < tied_) return false;
    share_ -= tied_;
    return true;
  }

 private:
  std::uint64_t limit_ = 0;
  std::uint64_t tied_ = 0;   // intervals with exactly this duration; 0: all are kept
  std::uint64_t kept_ = 0;   // how many of them are kept
  std::uint64_t share_ = 0;  // grows by kept_ for each; one is kept when it reaches tied_
};

std::uint64_t code_of(const trace_interval& interval) {
  switch (interval.kind) {
    case interval_kind::job:
      return 0;
    case interval_kind::sleep:
      return 1;
    case interval_kind::part:
      return 2;
    case interval_kind::guest:
    case interval_kind::idle:
      return 3;
    case interval_kind::span:
      break;
  }
  return 4 + std::uint64_t{interval.name};
}

}  // namespace

event_code encode_events(const trace_data& trace, std::size_t most_intervals) {
  const selection chosen(trace, most_intervals);
  std::vector<std::uint64_t> counts(trace.threads.size());
  selection counted = chosen;
  for (const trace_interval& i : trace.intervals) counts[i.thread] += counted.keeps(i) ? 1 : 0;

  event_code result;
  std::string bytes;
  put(bytes, counts.size());
  std::size_t at = 0;
  selection written = chosen;
  for (std::size_t thread = 0; thread < counts.size(); ++thread) {
    put(bytes, counts[thread]);
    std::uint64_t before = 0;
    for (; at < trace.intervals.size() && trace.intervals[at].thread == thread; ++at) {
      const trace_interval& now = trace.intervals[at];
      if (!written.keeps(now)) {
        ++result.left_out;
        continue;
      }
      put(bytes, now.begin_ns - before);
      put(bytes, now.duration_ns);
      put(bytes, code_of(now));
      before = now.begin_ns;
    }
  }

  const std::size_t step = trace.instants.size() / std::max<std::size_t>(1, most_intervals) + 1;
  put(bytes, (trace.instants.size() + step - 1) / step);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < trace.instants.size(); i += step) {
    const trace_instant& now = trace.instants[i];
    put(bytes, now.time_ns - before);
    put(bytes, static_cast<std::uint64_t>(now.kind));
    put(bytes, now.thread);
    put(bytes, now.other == trace_instant::no_thread ? 0 : std::uint64_t{now.other} + 1);
    put(bytes, now.count);
    before = now.time_ns;
  }
  result.base64 = base64(bytes);
  return result;
}

}  // namespace filch::report

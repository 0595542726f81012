// A trace as Chrome trace JSON. docs/spec/watching.md has the format.
#include "filch/detail/watch/trace_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filch/detail/base/process.hpp"
#include "filch/version.hpp"

namespace filch::detail {

namespace {

using kinds = traced_place::kinds;

/// One line of the picture. A worker has one even if it recorded nothing.
struct row {
  traced_place place;
  const thread_record* thread = nullptr;
  std::uint64_t busy_ns = 0;
  std::uint64_t sleep_ns = 0;
};

const char* word_for(kinds k) {
  switch (k) {
    case kinds::worker:
      return "worker";
    case kinds::spare:
      return "spare";
    case kinds::guest:
      return "guest";
    case kinds::outside:
    case kinds::sampler:
      break;
  }
  return "outside";
}

/// When what began with each event of a thread was over, by the event's number.
struct stretches {
  static constexpr std::uint64_t none = UINT64_MAX;
  struct stretch {
    std::uint64_t end_ns = none;
    bool unfinished = false;
  };
  struct job {
    ticks begin;
    ticks end;  ///< or none, if it is unfinished
  };
  std::vector<stretch> of;
  std::vector<job> jobs;                      ///< in the order in which they began
  std::uint64_t slept_from_the_start = none;  ///< until when it slept that did so when all began
  std::uint64_t kept = 0;
};

class writer {
 public:
  writer(int file, const trace_record& record) : out_(file), record_(record) {
    make_rows();
    pid_ = std::to_string(process_id());
  }

  std::error_code write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"filch\":";
    write_header();
    out_ << "},\n\"traceEvents\":[\n";
    out_ << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" << pid_
         << ",\"tid\":0,\"args\":{\"name\":";
    out_.quoted(program_name()) << "}}";
    for (std::size_t tid = 0; tid < rows_.size(); ++tid) write_row(tid);
    for (const thread_record& t : record_.threads)
      if (t.place.kind == kinds::sampler) write_samples(t);
    out_ << "\n]}\n";
    return out_.flush();
  }

 private:
  void make_rows() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, const thread_record*> of_workers;
    for (const thread_record& t : record_.threads)
      if (t.place.kind == kinds::worker) of_workers[{t.place.pool, t.place.index}] = &t;
    for (std::size_t p = 0; p < record_.pools.size(); ++p) {
      const pool_record& pool = record_.pools[p];
      numbers_[pool.id] = p;
      for (std::uint32_t i = 0; i < pool.size; ++i) {
        const auto found = of_workers.find({pool.id, i});
        add_row({{kinds::worker, pool.id, i}, found == of_workers.end() ? nullptr : found->second});
      }
    }
    for (const kinds k : {kinds::spare, kinds::guest, kinds::outside})
      for (const thread_record& t : record_.threads)
        if (t.place.kind == k && has_something(t)) add_row({t.place, &t});
  }

  /// The trace may have ended before a thread that was new to it wrote its first event.
  static bool has_something(const thread_record& t) {
    return t.place.kind != kinds::outside || t.events.recorded() != 0;
  }

  void add_row(row r) {
    if (r.place.kind != kinds::outside)
      tids_[{r.place.pool, r.place.index}] = rows_.size();  // of a place's guests the last
    const auto pool = numbers_.find(r.place.pool);
    const bool alone = r.place.kind == kinds::worker || r.place.kind == kinds::spare ||
                       (r.place.kind == kinds::guest && is_only_guest(r.place));
    const bool has_times = alone && pool != numbers_.end() &&
                           r.place.index < record_.pools[pool->second].gone_by.size();
    if (has_times) {
      const worker_metrics& m = record_.pools[pool->second].gone_by[r.place.index];
      r.busy_ns = m.busy_ns;
      r.sleep_ns = m.sleep_ns;
    } else if (r.thread != nullptr) {
      r.busy_ns = record_.ns_between(r.thread->sums.in_jobs);
      r.sleep_ns = record_.ns_between(r.thread->sums.asleep);
    }
    rows_.push_back(r);
  }

  /// Not if others have been at its place before or after: then the place's time is that of all.
  bool is_only_guest(const traced_place& place) const {
    return std::count_if(record_.threads.begin(), record_.threads.end(), [&](const auto& t) {
             return t.place.kind == kinds::guest && t.place.pool == place.pool &&
                    t.place.index == place.index;
           }) == 1;
  }

  std::string name_of(const row& r) const {
    const auto pool = numbers_.find(r.place.pool);
    if (pool != numbers_.end() && r.place.kind == kinds::worker)
      return record_.pools[pool->second].name + " " + std::to_string(r.place.index);
    if (pool != numbers_.end() && r.place.kind == kinds::spare)
      return record_.pools[pool->second].name + " spare " + std::to_string(r.place.index);
    return r.thread->name.data();
  }

  static std::uint64_t kept_in(const thread_record& t) {
    std::uint64_t kept = 0;
    t.events.for_each([&](const event&, const std::string&) { ++kept; });
    return kept;
  }

  void write_header() {
    out_ << "{\"format\":1,\"version\":";
    out_.quoted(library_version()) << ",\"program\":";
    out_.quoted(program_name()) << ",\"pid\":" << pid_ << ",\"start_unix_ns\":\""
                                << record_.start_unix_ns
                                << "\",\"duration_ns\":" << record_.duration_ns()
                                << ",\n\"pools\":[";
    for (std::size_t p = 0; p < record_.pools.size(); ++p) {
      out_ << (p == 0 ? "" : ",") << "{\"id\":" << p << ",\"name\":";
      out_.quoted(record_.pools[p].name)
          << ",\"workers\":" << record_.pools[p].size
          << ",\"begin_ns\":" << record_.ns_of(record_.pools[p].from)
          << ",\"end_ns\":" << record_.ns_of(record_.pools[p].until) << "}";
    }
    out_ << "],\n\"threads\":[";
    std::uint64_t lost = record_.lost_without_log;
    for (std::size_t tid = 0; tid < rows_.size(); ++tid) lost += write_thread(tid);
    for (const thread_record& t : record_.threads)
      if (t.place.kind == kinds::sampler) lost += t.events.recorded() - kept_in(t);
    out_ << "],\n\"lost_events\":" << lost << "}";
  }

  /// Returns how many of its events were lost.
  std::uint64_t write_thread(std::size_t tid) {
    const row& r = rows_[tid];
    const std::uint64_t kept = r.thread == nullptr ? 0 : kept_in(*r.thread);
    const std::uint64_t lost = r.thread == nullptr ? 0 : r.thread->events.recorded() - kept;
    const traced_sums sums = r.thread == nullptr ? traced_sums{} : r.thread->sums;
    const auto pool = numbers_.find(r.place.pool);
    out_ << (tid == 0 ? "\n" : ",\n") << "{\"tid\":" << tid << ",\"pool\":";
    if (pool == numbers_.end())
      out_ << "-1";
    else
      out_ << pool->second;
    out_ << ",\"kind\":\"" << word_for(r.place.kind) << "\",\"index\":" << r.place.index
         << ",\"name\":";
    out_.quoted(name_of(r)) << ",\"events\":" << kept << ",\"lost_events\":" << lost
                            << ",\"jobs\":" << sums.jobs
                            << ",\"steals_taken\":" << sums.steals_taken
                            << ",\"steal_hits\":" << sums.steal_hits
                            << ",\"steals_lost\":" << sums.steals_lost
                            << ",\"steals_empty\":" << sums.steals_empty
                            << ",\"sleeps\":" << sums.sleeps << ",\"wakes\":" << sums.wakes
                            << ",\"busy_ns\":" << r.busy_ns << ",\"sleep_ns\":" << r.sleep_ns
                            << "}";
    return lost;
  }

  /// Stretches nest, as they do in the program; what an overwritten event began is left out.
  stretches match(const thread_record& t) const {
    stretches found;
    struct beginning {
      std::size_t number;
      ticks time;
      event_kind end;
    };
    std::vector<beginning> open;
    // A span that ended on another thread would stay open: it ends with what is around it.
    const auto close_from = [&](std::size_t first, std::uint64_t now) {
      for (std::size_t i = first; i < open.size(); ++i) found.of[open[i].number].end_ns = now;
      open.resize(first);
    };
    t.events.for_each([&](const event& e, const std::string&) {
      const std::size_t number = found.of.size();
      found.of.emplace_back();
      if (e.kind() == event_kind::span_begin)
        open.push_back({number, e.time, event_kind::span_end});
      else if (e.kind() == event_kind::sleep_begin)
        open.push_back({number, e.time, event_kind::sleep_end});
      else if (e.kind() == event_kind::job) {
        found.jobs.push_back({e.time, e.data});
        std::size_t first = open.size();
        while (first != 0 && open[first - 1].time > e.time) --first;
        close_from(first, record_.ns_of(e.data));
      } else if (e.kind() == event_kind::span_end || e.kind() == event_kind::sleep_end) {
        std::size_t its = open.size();
        while (its != 0 && open[its - 1].end != e.kind()) --its;
        if (its != 0)
          close_from(its - 1, record_.ns_of(e.time));
        else if (e.kind() == event_kind::sleep_end)
          found.slept_from_the_start = record_.ns_of(e.time);
      }
    });
    for (const beginning& o : open) found.of[o.number] = {record_.duration_ns(), true};
    for (const ticks began : t.open_jobs) found.jobs.push_back({began, stretches::none});
    // They were written as they ended, and an inner one ends first.
    std::sort(found.jobs.begin(), found.jobs.end(), [](const auto& x, const auto& y) {
      return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
    });
    found.kept = found.of.size();
    if (t.events.recorded() != found.kept) found.slept_from_the_start = stretches::none;
    return found;
  }

  void write_row(std::size_t tid) {
    const row& r = rows_[tid];
    out_ << ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" << pid_ << ",\"tid\":" << tid
         << ",\"args\":{\"name\":";
    out_.quoted(name_of(r)) << "}}";
    out_ << ",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" << pid_ << ",\"tid\":" << tid
         << ",\"args\":{\"sort_index\":" << tid << "}}";
    if (r.thread == nullptr) {  // nothing has changed: if it slept, it has always slept
      if (r.sleep_ns != 0) write_stretch("sleep", "sleep", tid, 0, {record_.duration_ns(), true});
      return;
    }
    const stretches ends = match(*r.thread);
    if (ends.slept_from_the_start != stretches::none)
      write_stretch("sleep", "sleep", tid, 0, {ends.slept_from_the_start, false});
    std::size_t number = 0;
    auto next = ends.jobs.begin();
    const auto write_jobs_until = [&](ticks now) {
      for (; next != ends.jobs.end() && next->begin <= now; ++next) write_job(tid, *next);
    };
    r.thread->events.for_each([&](const event& e, const std::string& name) {
      if (e.kind() != event_kind::job) write_jobs_until(e.time);
      write_event(tid, e, name, ends.of[number++]);
    });
    write_jobs_until(stretches::none);
  }

  void write_job(std::size_t tid, const stretches::job& j) {
    const bool unfinished = j.end == stretches::none;
    write_stretch("job", "job", tid, record_.ns_of(j.begin),
                  {unfinished ? record_.duration_ns() : record_.ns_of(j.end), unfinished});
  }

  void write_event(std::size_t tid, const event& e, const std::string& name,
                   const stretches::stretch& until) {
    const std::uint64_t at = record_.ns_of(e.time);
    switch (e.kind()) {
      case event_kind::sleep_begin:
        return write_stretch("sleep", "sleep", tid, at, until);
      case event_kind::span_begin:
        return write_stretch(name, "span", tid, at, until);
      case event_kind::steal:
        begin_instant("steal", tid, at) << ",\"args\":{\"victim\":";
        write_tid(e) << ",\"count\":" << std::uint64_t{e.a()} << "}}";
        return;
      case event_kind::wake:
        begin_instant("wake", tid, at) << ",\"args\":{\"worker\":";
        write_tid(e) << "}}";
        return;
      case event_kind::inject:
        begin_instant("inject", tid, at) << ",\"args\":{\"count\":" << std::uint64_t{e.b()} << "}}";
        return;
      case event_kind::counter:
        return write_counter(e, name, at);
      case event_kind::text:
      case event_kind::job:
      case event_kind::span_end:
      case event_kind::sleep_end:
      case event_kind::sample:
        return;
    }
  }

  void write_stretch(std::string_view name, std::string_view category, std::size_t tid,
                     std::uint64_t from_ns, const stretches::stretch& until) {
    out_ << ",\n{\"ph\":\"X\",\"name\":";
    out_.quoted(name) << ",\"cat\":\"" << category << "\",\"ts\":";
    out_.microseconds(from_ns) << ",\"dur\":";
    out_.microseconds(until.end_ns - std::min(from_ns, until.end_ns))
        << ",\"pid\":" << pid_ << ",\"tid\":" << tid;
    if (until.unfinished) out_ << ",\"args\":{\"unfinished\":true}";
    out_ << "}";
  }

  text_file& begin_instant(std::string_view name, std::size_t tid, std::uint64_t at) {
    out_ << ",\n{\"ph\":\"i\",\"s\":\"t\",\"name\":\"" << name << "\",\"cat\":\"" << name
         << "\",\"ts\":";
    return out_.microseconds(at) << ",\"pid\":" << pid_ << ",\"tid\":" << tid;
  }

  text_file& write_tid(const event& e) {
    const auto found = tids_.find({static_cast<std::uint32_t>(e.data), e.b()});
    return found == tids_.end() ? out_ << "-1" : out_ << found->second;
  }

  void write_counter(const event& e, std::string_view name, std::uint64_t at) {
    const auto value = std::bit_cast<double>(e.data);
    if (!std::isfinite(value)) return;
    out_ << ",\n{\"ph\":\"C\",\"name\":";
    out_.quoted(name) << ",\"cat\":\"counter\",\"ts\":";
    out_.microseconds(at) << ",\"pid\":" << pid_ << ",\"tid\":0,\"args\":{\"value\":";
    out_.number(value) << "}}";
  }

  void write_samples(const thread_record& t) {
    t.events.for_each([&](const event& e, const std::string&) {
      const auto pool = numbers_.find(static_cast<std::uint32_t>(e.data));
      if (e.kind() != event_kind::sample || pool == numbers_.end()) return;
      for (const auto& [name, value] : {std::pair("queue", e.b()), std::pair("active", e.a())}) {
        out_ << ",\n{\"ph\":\"C\",\"name\":\"" << name << "\",\"ts\":";
        out_.microseconds(record_.ns_of(e.time))
            << ",\"pid\":" << pid_ << ",\"tid\":0,\"args\":{\"pool " << pool->second
            << "\":" << std::uint64_t{value} << "}}";
      }
    });
  }

  text_file out_;
  const trace_record& record_;
  std::string pid_;
  std::vector<row> rows_;
  std::map<std::uint32_t, std::size_t> numbers_;  // of pools, by registry::id()
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> tids_;
};

}  // namespace

std::error_code write_trace(int file, const trace_record& record) {
  return std::make_unique<writer>(file, record)->write();  // its buffer is large for a stack
}

}  // namespace filch::detail

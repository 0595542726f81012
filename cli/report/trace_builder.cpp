#include "report/trace_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_set>

#include "report/guests.hpp"

namespace filch::report {
namespace {

using type = json_value::type;

constexpr std::int64_t known_format = 1;

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw wrong_value(fmt::format(text, std::forward<Arguments>(arguments)...));
}

template <class T>
void check_limit(const std::vector<T>& list, std::size_t limit, std::string_view what) {
  if (list.size() >= limit) refuse("more than {} {}, which is the limit", limit, what);
}

thread_kind kind_of(const json_value& value) {
  const std::string_view said = value.text("kind");
  if (said == "worker") return thread_kind::worker;
  if (said == "guest") return thread_kind::guest;
  if (said == "spare") return thread_kind::spare;
  if (said == "outside") return thread_kind::outside;
  value.refuse("kind", "worker, guest, spare or outside");
}

/// JavaScript numbers cannot hold 64 bits, so this one is written as a text.
std::uint64_t count_in_text(std::string_view key, const json_value& value) {
  if (!value.is_text()) return value.count(key);
  const std::string_view said = value.text(key);
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), result);
  if (error != std::errc{} || end != said.data() + said.size())
    value.refuse(key, "a whole number in a text");
  return result;
}

}  // namespace

struct trace_builder::rule {
  json_state where;
  std::string_view key;
  type wanted;
  json_state inside;
};

/// The position of each object and list of interest. The elements of a list have no key.
const trace_builder::rule* trace_builder::find_rule(json_state where, std::string_view key) {
  static constexpr rule rules[] = {
      {json_state::events, "", type::object, json_state::event},
      {json_state::event, "args", type::object, json_state::args},
      {json_state::document, "", type::object, json_state::root},
      {json_state::root, "otherData", type::object, json_state::other_data},
      {json_state::root, "traceEvents", type::list, json_state::events},
      {json_state::other_data, "filch", type::object, json_state::filch},
      {json_state::filch, "pools", type::list, json_state::pools},
      {json_state::filch, "threads", type::list, json_state::threads},
      {json_state::filch, "comparison", type::object, json_state::comparison},
      {json_state::comparison, "rows", type::list, json_state::rows},
      {json_state::pools, "", type::object, json_state::pool},
      {json_state::threads, "", type::object, json_state::thread},
      {json_state::rows, "", type::object, json_state::row},
  };
  for (const rule& r : rules)
    if (r.where == where && (r.key.empty() || r.key == key)) return &r;
  return nullptr;
}

void trace_builder::event::clear() {
  phase.clear();
  name.clear();
  category.clear();
  arg_name.clear();
  numbers.clear();
  time_ns = duration_ns = count = std::nullopt;
  tid = victim = worker = std::nullopt;
}

std::string trace_builder::text(const json_value& value) const {
  return cut(value.text(key_), limits_.name_length);
}

void trace_builder::begin(type object_or_list) {
  const json_state where = stack_.empty() ? json_state::document : stack_.back();
  if (stack_.size() >= limits_.depth)
    refuse("objects and lists are nested more than {} deep, which is the limit", limits_.depth);
  if (const rule* found = find_rule(where, key_); found && found->wanted == object_or_list) {
    begin_state(found->inside);
    stack_.push_back(found->inside);
  } else {
    scalar(json_value(object_or_list));  // refused, if another type is expected there
    stack_.push_back(json_state::ignored);
  }
}

void trace_builder::end() {
  end_state(stack_.back());
  stack_.pop_back();
}

void trace_builder::scalar(const json_value& value) {
  const json_state where = stack_.empty() ? json_state::document : stack_.back();
  if (where == json_state::event) return event_value(value);
  if (where == json_state::args) return arg_value(value);
  if (where == json_state::ignored) return;
  if (const rule* found = find_rule(where, key_)) {
    if (where == json_state::document)
      refuse("not a trace of filch: the file is not a JSON object");
    const std::string_view said = found->key.empty() ? "an entry" : found->key;
    value.refuse(said, found->wanted == type::object ? "an object" : "a list");
  }
  if (where == json_state::filch) return filch_value(value);
  if (where == json_state::pool) return pool_value(value);
  if (where == json_state::thread) return thread_value(value);
  if (where == json_state::row) return row_value(value);
}

void trace_builder::begin_state(json_state where) {
  switch (where) {
    case json_state::event:
      return event_.clear();
    case json_state::filch:
      has_filch_ = true;
      return;
    case json_state::pool:
      check_limit(data_.pools, limits_.pools, "pools");
      data_.pools.emplace_back();
      return;
    case json_state::thread:
      check_limit(data_.threads, limits_.threads, "threads");
      data_.threads.emplace_back().declared = true;
      data_.threads.back().tid = -1;
      return;
    case json_state::row:
      check_limit(data_.comparison, limits_.rows, "rows of a comparison");
      data_.comparison.emplace_back();
      return;
    default:
      return;
  }
}

void trace_builder::end_state(json_state where) {
  if (where == json_state::event) return add_event();
  if (where == json_state::thread && data_.threads.back().tid < 0)
    refuse("a thread in the list of threads has no \"tid\"");
  if (where == json_state::filch && format_ != known_format) {
    if (!format_) refuse("not a trace of filch: otherData.filch has no \"format\"");
    refuse(
        "a trace of format {}, but this version of filch reads format {}: use the version that "
        "wrote the trace",
        *format_, known_format);
  }
}

void trace_builder::filch_value(const json_value& value) {
  if (key_ == "format") format_ = value.whole(key_);
  if (key_ == "version") data_.version = text(value);
  if (key_ == "program") data_.program = text(value);
  if (key_ == "pid") data_.pid = value.whole(key_);
  if (key_ == "start_unix_ns") data_.start_unix_ns = count_in_text(key_, value);
  if (key_ == "lost_events") data_.lost_events = value.count(key_);
  if (key_ == "duration_ns") {
    data_.duration_ns = value.count(key_);
    if (data_.duration_ns > limits_.time_ns)
      value.refuse(key_, fmt::format("at most {}", limits_.time_ns));
  }
}

void trace_builder::pool_value(const json_value& value) {
  trace_pool& pool = data_.pools.back();
  if (key_ == "id") pool.id = value.whole(key_);
  if (key_ == "name") pool.name = text(value);
  if (key_ == "workers") pool.workers = value.count(key_);
  if (key_ == "begin_ns") pool.begin_ns = value.count(key_);
  if (key_ == "end_ns") pool.end_ns = value.count(key_);
}

void trace_builder::thread_value(const json_value& value) {
  trace_thread& thread = data_.threads.back();
  if (key_ == "tid") {
    if (value.whole(key_) < 0) value.refuse(key_, "a whole number from 0");
    thread.tid = value.whole(key_);
  }
  if (key_ == "pool") thread.pool = value.whole(key_);
  if (key_ == "kind") thread.kind = kind_of(value);
  if (key_ == "index") thread.index = value.count(key_);
  if (key_ == "name") thread.name = text(value);
  if (key_ == "lost_events") thread.lost_events = value.count(key_);
  if (key_ == "jobs") thread.jobs = value.count(key_);
  if (key_ == "steals_taken") thread.steals_taken = value.count(key_);
  if (key_ == "steal_hits") thread.steal_hits = value.count(key_);
  if (key_ == "steals_lost") thread.steals_lost = value.count(key_);
  if (key_ == "steals_empty") thread.steals_empty = value.count(key_);
  if (key_ == "sleeps") thread.sleeps = value.count(key_);
  if (key_ == "wakes") thread.wakes = value.count(key_);
  if (key_ == "busy_ns") thread.busy_ns = value.count(key_);
  if (key_ == "sleep_ns") thread.sleep_ns = value.count(key_);
  if (key_ == "guest_ns") thread.guest_ns = value.count(key_);
  if (key_ == "recorded_from_ns") thread.recorded_from_ns = value.count(key_);
}

void trace_builder::row_value(const json_value& value) {
  if (value.is_null()) return;  // a variant that could not be run has no figures
  comparison_row& row = data_.comparison.back();
  if (key_ == "load") row.load = text(value);
  if (key_ == "variant") row.variant = text(value);
  if (key_ == "note") row.note = text(value);
  if (key_ == "time_ms") row.time_ms = value.number(key_);
  if (key_ == "utilisation") row.utilisation = value.number(key_);
  if (key_ == "speedup") row.speedup = value.number(key_);
  if (key_ == "ideal_ms") row.ideal_ms = value.number(key_);
  if (key_ == "steals") row.steals = value.count(key_);
}

void trace_builder::event_value(const json_value& value) {
  if (key_ == "ph") event_.phase = text(value);
  if (key_ == "name") event_.name = text(value);
  if (key_ == "cat") event_.category = text(value);
  if (key_ == "ts") event_.time_ns = value.nanoseconds(key_, limits_.time_ns);
  if (key_ == "dur") event_.duration_ns = value.nanoseconds(key_, limits_.time_ns);
  if (key_ == "tid") {
    if (value.whole(key_) < 0) value.refuse(key_, "a whole number from 0");
    event_.tid = value.whole(key_);
  }
}

void trace_builder::arg_value(const json_value& value) {
  if (key_ == "victim") event_.victim = value.whole(key_);
  if (key_ == "worker") event_.worker = value.whole(key_);
  if (key_ == "count") event_.count = value.count(key_);
  if (key_ == "name" && value.is_text()) event_.arg_name = text(value);
  if (!value.is_number()) return;
  check_limit(event_.numbers, limits_.series, "numbers in the args of one event");
  event_.numbers.emplace_back(cut(key_, limits_.name_length), value.number(key_));
}

/// By phase and category. The format is described where filch writes it.
void trace_builder::add_event() {
  const std::string& phase = event_.phase;
  const std::string& category = event_.category;
  if (phase == "X" && category == "job") return add_interval(interval_kind::job);
  if (phase == "X" && category == "sleep") return add_interval(interval_kind::sleep);
  if (phase == "X" && category == "span") return add_interval(interval_kind::span);
  if (phase == "X" && category == "guest") return add_interval(interval_kind::guest);
  if (phase == "X" && category == "idle") return add_interval(interval_kind::idle);
  if (phase == "i" && category == "steal") return add_instant(instant_kind::steal);
  if (phase == "i" && category == "inject") return add_instant(instant_kind::inject);
  if (phase == "i" && category == "wake") return add_instant(instant_kind::wake);
  if (phase == "C" && category == "counter") return add_samples(series_kind::counter);
  if (phase == "C" && event_.name == "queue") return add_samples(series_kind::queue);
  if (phase == "C" && event_.name == "active") return add_samples(series_kind::active);
  if (phase == "M") return add_metadata();
  ++data_.ignored_events;
}

void trace_builder::count_event() {
  if (++events_ > limits_.events)
    refuse("more than {} events, which is the limit; trace a shorter time", limits_.events);
  if (!event_.time_ns) refuse("an event of category \"{}\" has no \"ts\"", event_.category);
}

void trace_builder::add_interval(interval_kind kind) {
  count_event();
  if (!event_.duration_ns) refuse("an event of category \"{}\" has no \"dur\"", event_.category);
  if (!event_.tid) refuse("an event of category \"{}\" has no \"tid\"", event_.category);
  const std::uint64_t end = *event_.time_ns + *event_.duration_ns;
  if (end > limits_.time_ns)
    refuse("an event ends later than {} ns after the start", limits_.time_ns);
  last_end_ns_ = std::max(last_end_ns_, end);
  data_.intervals.push_back({*event_.time_ns, *event_.duration_ns, seen(*event_.tid, true),
                             kind == interval_kind::span ? name_index(event_.name) : 0, kind});
}

void trace_builder::add_instant(instant_kind kind) {
  count_event();
  if (!event_.tid) refuse("an event of category \"{}\" has no \"tid\"", event_.category);
  last_end_ns_ = std::max(last_end_ns_, *event_.time_ns);
  const bool steal = kind == instant_kind::steal;
  const std::int64_t other = (steal ? event_.victim : event_.worker).value_or(-1);
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t count = steal ? event_.count.value_or(1) : 0;
  data_.instants.push_back(
      {*event_.time_ns, seen(*event_.tid, true),
       kind == instant_kind::inject || other < 0 ? trace_instant::no_thread : seen(other, false),
       static_cast<std::uint32_t>(std::min(count, most)), kind});
}

void trace_builder::add_samples(series_kind kind) {
  count_event();
  last_end_ns_ = std::max(last_end_ns_, *event_.time_ns);
  for (auto& [key, value] : event_.numbers) {
    // A counter is identified by its own name, a series of the sampler by its pool.
    const std::string& name = kind == series_kind::counter ? event_.name : key;
    const auto [found, fresh] = series_index_.try_emplace({kind, name}, data_.series.size());
    if (fresh) {
      check_limit(data_.series, limits_.series, "counters");
      data_.series.push_back({kind, name, {}});
    }
    data_.series[found->second].samples.push_back({*event_.time_ns, value});
  }
}

void trace_builder::add_metadata() {
  if (event_.name == "process_name" && data_.program.empty()) data_.program = event_.arg_name;
  if (event_.name == "thread_name" && event_.tid)
    seen_[seen(*event_.tid, false)].name = event_.arg_name;
}

std::uint32_t trace_builder::seen(std::int64_t tid, bool acts) {
  const auto [found, fresh] =
      seen_index_.try_emplace(tid, static_cast<std::uint32_t>(seen_.size()));
  if (fresh) {
    check_limit(seen_, limits_.threads, "threads in the events");
    seen_.push_back({tid, false, {}});
  }
  seen_[found->second].acts |= acts;
  return found->second;
}

std::uint32_t trace_builder::name_index(const std::string& name) {
  if (const auto found = name_index_.find(name); found != name_index_.end()) return found->second;
  const bool fits = data_.names.size() + 1 < limits_.names;
  const std::string& said = fits ? name : "(other)";
  const auto [entry, fresh] =
      name_index_.try_emplace(said, static_cast<std::uint32_t>(data_.names.size()));
  if (fresh) data_.names.push_back(said);
  return entry->second;
}

/// Returns: the thread of each seen tid, or trace_instant::no_thread.
std::vector<std::uint32_t> trace_builder::settle_threads() {
  std::unordered_map<std::int64_t, std::uint32_t> index;
  for (const trace_thread& thread : data_.threads)
    if (!index.try_emplace(thread.tid, static_cast<std::uint32_t>(index.size())).second)
      refuse("the list of threads has tid {} twice", thread.tid);

  std::vector<std::uint32_t> result;
  for (const seen_thread& thread : seen_) {
    const auto known = index.find(thread.tid);
    if (known == index.end() && !thread.acts) {
      result.push_back(trace_instant::no_thread);
      continue;
    }
    if (known == index.end()) {
      result.push_back(static_cast<std::uint32_t>(data_.threads.size()));
      data_.threads.emplace_back().tid = thread.tid;
    } else {
      result.push_back(known->second);
    }
    trace_thread& settled = data_.threads[result.back()];
    if (settled.name.empty()) settled.name = thread.name;
  }
  for (trace_thread& thread : data_.threads)
    if (thread.name.empty()) thread.name = fmt::format("thread {}", thread.tid);
  return result;
}

/// For files without `recorded_from_ns`. A thread writes jobs when they end, and everything else
/// when it begins. So the oldest event in the file tells from when on nothing is lost.
void trace_builder::settle_losses() {
  std::vector<std::uint64_t> oldest(data_.threads.size(), data_.duration_ns);
  for (const trace_interval& i : data_.intervals) {
    const bool at_end = i.kind != interval_kind::sleep && i.kind != interval_kind::span;
    std::uint64_t& known = oldest[i.thread];
    known = std::min(known, i.begin_ns + (at_end ? i.duration_ns : 0));
  }
  for (const trace_instant& i : data_.instants)
    oldest[i.thread] = std::min(oldest[i.thread], i.time_ns);
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < data_.threads.size(); ++i) {
    trace_thread& thread = data_.threads[i];
    lost += thread.lost_events;
    if (thread.recorded_from_ns == 0 && thread.lost_events != 0)
      thread.recorded_from_ns = oldest[i];
    thread.recorded_from_ns = std::min(thread.recorded_from_ns, data_.duration_ns);
  }
  data_.lost_events = std::max(data_.lost_events, lost);
}

trace_data trace_builder::finish() {
  if (!has_filch_)
    refuse("not a trace of filch: it has no otherData.filch (a trace of another program?)");
  const std::vector<std::uint32_t> settled = settle_threads();
  for (trace_interval& i : data_.intervals) i.thread = settled[i.thread];
  for (trace_instant& i : data_.instants) {
    i.thread = settled[i.thread];
    if (i.other != trace_instant::no_thread) i.other = settled[i.other];
  }
  data_.duration_ns = std::max(data_.duration_ns, last_end_ns_);

  std::stable_sort(data_.intervals.begin(), data_.intervals.end(),
                   [](const trace_interval& a, const trace_interval& b) {
                     if (a.thread != b.thread) return a.thread < b.thread;
                     if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
                     return a.duration_ns > b.duration_ns;
                   });
  settle_losses();
  work_out_parts(data_.intervals);
  const auto earlier = [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; };
  std::stable_sort(data_.instants.begin(), data_.instants.end(), earlier);
  for (trace_series& s : data_.series)
    std::stable_sort(s.samples.begin(), s.samples.end(), earlier);
  return std::move(data_);
}

}  // namespace filch::report

// Makes a trace_data from the tokens of a JSON file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/json_value.hpp"
#include "report/trace_data.hpp"
#include "report/trace_file.hpp"

namespace filch::report {

/// Gets the contents of the file in the order of the file, and then returns the trace. Every call
/// but the first ones may throw wrong_value. After that the builder cannot be used any more.
/// It has a function for each kind of entry of a trace, which all add to one result.
class trace_builder {
 public:
  explicit trace_builder(const trace_limits& limits) : limits_(limits) {}

  void key(std::string_view name) { key_ = name; }
  void scalar(const json_value& value);
  void begin(json_value::type object_or_list);
  void end();

  /// Call once, at the end of the file.
  trace_data finish();

 private:
  /// Where in the file the parser is. Everything of no interest is `ignored`, with all its
  /// contents.
  enum class json_state : unsigned char {
    document,
    root,
    other_data,
    filch,
    pools,
    pool,
    threads,
    thread,
    comparison,
    rows,
    row,
    events,
    event,
    args,
    ignored
  };
  struct rule;

  /// The values of an event that have been read so far. Its keys may come in any order.
  struct event {
    std::string phase, name, category, arg_name;
    std::optional<std::uint64_t> time_ns, duration_ns, count;
    std::optional<std::int64_t> tid, victim, worker;
    std::vector<std::pair<std::string, double>> numbers;
    void clear();
  };

  /// A tid of some event, before the list of threads is known.
  struct seen_thread {
    std::int64_t tid = 0;
    bool acts = false;  ///< It does more than being a victim or being woken.
    std::string name;   ///< From a thread_name.
  };

  static const rule* find_rule(json_state where, std::string_view key);
  void root_value(const json_value& value);
  void filch_value(const json_value& value);
  void pool_value(const json_value& value);
  void thread_value(const json_value& value);
  void row_value(const json_value& value);
  void event_value(const json_value& value);
  void arg_value(const json_value& value);

  void begin_state(json_state where);
  void end_state(json_state where);
  void add_event();
  void add_interval(interval_kind kind);
  void add_instant(instant_kind kind);
  void add_samples(series_kind kind);
  void add_metadata();
  void count_event();
  std::uint32_t seen(std::int64_t tid, bool acts);
  std::uint32_t name_index(const std::string& name);
  std::vector<std::uint32_t> settle_threads();
  void settle_losses();
  std::string text(const json_value& value) const;

  trace_limits limits_;
  trace_data data_;
  std::vector<json_state> stack_;
  std::string key_;
  event event_;
  bool has_filch_ = false;
  std::optional<std::int64_t> format_;
  std::uint64_t events_ = 0;
  std::uint64_t last_end_ns_ = 0;
  std::vector<seen_thread> seen_;
  std::unordered_map<std::int64_t, std::uint32_t> seen_index_;
  std::unordered_map<std::string, std::uint32_t> name_index_;
  std::map<std::pair<series_kind, std::string>, std::size_t> series_index_;
};

}  // namespace filch::report

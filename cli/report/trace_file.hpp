// Reads a trace that filch wrote: Chrome trace JSON with an otherData.filch.
//
// A file may come from anywhere, so nothing in it is trusted.
//
// These are refused, with a trace_error: text that is not JSON, or that ends early (also an empty
// file); a trace of another program; another format; a known key with a value of the wrong type or
// sign; anything that exceeds `trace_limits`.
//
// These are accepted: unknown keys and kinds of events; keys and events in any order; a tid that is
// missing in the list of threads (it becomes a thread of kind `outside`); a victim that does not
// exist (it becomes unknown); a duration that ends too early (the last event decides); counters
// that are missing in the list of threads (computed from the events); names that are too long (cut)
// or too many (the rest share one).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "report/trace_data.hpp"

namespace filch::report {

/// Why a file is not a trace: "file: byte 123: what was wrong, and with which value".
class trace_error : public std::runtime_error {
 public:
  trace_error(const std::string& file, std::uint64_t offset, const std::string& what_was_wrong);

  /// How many bytes had been read.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  std::uint64_t offset_;
};

/// The limits for the contents of a file.
struct trace_limits {
  std::uint64_t events = 20'000'000;  ///< At 32 bytes each.
  std::size_t threads = 10'000;
  std::size_t pools = 10'000;
  std::size_t series = 1'000;
  std::size_t rows = 10'000;            ///< Of the comparison.
  std::size_t names = 50'000;           ///< Different ones; the rest is called "(other)".
  std::size_t name_length = 200;        ///< Bytes; the rest is cut off.
  std::size_t depth = 64;               ///< Of nested objects and arrays.
  std::uint64_t time_ns = 1ULL << 53U;  ///< 104 days: a double is exact up to here.
};

/// Reads the file at `path`.
///
/// How     By a streaming parser, which needs 64 KiB beside the result, for a file of any size.
/// Throws  trace_error; std::bad_alloc.
/// Cost    Linear in the size of the file (about 50 MB/s), and sorting the events.
trace_data read_trace(const std::filesystem::path& path, const trace_limits& limits = {});

/// The same for a text in memory. Messages call it `name`.
trace_data parse_trace(std::string_view text, const std::string& name,
                       const trace_limits& limits = {});

}  // namespace filch::report

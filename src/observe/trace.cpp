#include "filch/trace.hpp"

#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "filch/detail/base/files.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/observe/environment.hpp"
#include "filch/detail/observe/recording.hpp"
#include "filch/detail/observe/trace_file.hpp"
#include "filch/errors.hpp"

namespace filch {

trace::trace(std::string path, trace_options settings) : path_(std::move(path)) {
  const detail::hidden_from_sanitizers hidden;
  const std::size_t events = detail::trace_events(settings.events);
  if (settings.sampling.count() < 0)
    throw usage_error("filch::trace: trace_options::sampling is " +
                      std::to_string(settings.sampling.count()) +
                      " ns; it must be more than 0, or 0 for never");
  if (path_.find('\0') != path_.npos)
    throw usage_error("filch::trace: the path has a zero byte after '" +
                      path_.substr(0, path_.find('\0')) + "'; a file name cannot have one");
  detail::require_no_recording();  // first: a running trace may write the same file
  file_ = detail::create_file(path_, error_);
  if (file_ < 0)
    throw std::system_error(error_, "filch::trace: cannot create '" + path_ + "'" +
                                        (error_ == std::errc::no_such_device_or_address
                                             ? " (if it is a FIFO, no process reads it)"
                                             : ""));
  try {
    session_ = detail::begin_recording(events, settings.sampling);
  } catch (...) {
    (void)detail::close_file(file_);
    throw;
  }
}

trace::~trace() { (void)finish(); }

std::error_code trace::finish() noexcept {
  if (file_ < 0) return error_;
  const detail::hidden_from_sanitizers hidden;
  bool mine = true;  // false in the child of a fork
  try {
    detail::trace_record record;
    mine = detail::end_recording(session_, record);
    if (mine) error_ = detail::write_trace(file_, record);
  } catch (const std::bad_alloc&) {
    error_ = std::make_error_code(std::errc::not_enough_memory);
  }
  const std::error_code closing = detail::close_file(std::exchange(file_, -1));
  if (!error_) error_ = closing;
  if (error_ && mine)
    std::fprintf(stderr, "filch: the trace could not be written to '%s': %s; it is not complete\n",
                 path_.c_str(), detail::error_text(error_).c_str());
  return error_;
}

}  // namespace filch

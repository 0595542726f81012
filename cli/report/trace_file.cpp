#include "report/trace_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "report/json_value.hpp"
#include "report/trace_builder.hpp"

namespace filch::report {
namespace {

/// Reads the bytes of a file or a text in order, and counts them.
class byte_source {
 public:
  explicit byte_source(std::string_view text)
      : next_(text.data()), end_(text.data() + text.size()), before_(text.size()) {}

  byte_source(std::FILE* file, std::string name)
      : file_(file), name_(std::move(name)), buffer_(new std::array<char, 65536>) {}

  bool at_end() { return ended_ = next_ == end_ && !refill(); }
  /// Has the parser asked for a byte beyond the last one?
  bool has_ended() const { return ended_; }
  char current() const { return *next_; }
  void advance() { ++next_; }

  /// How many bytes have been taken.
  std::uint64_t offset() const { return before_ - static_cast<std::uint64_t>(end_ - next_); }

 private:
  bool refill() {
    if (!file_) return false;
    const std::size_t length = std::fread(buffer_->data(), 1, buffer_->size(), file_);
    if (length == 0 && std::ferror(file_))
      throw trace_error(name_, before_, fmt::format("cannot be read: {}", std::strerror(errno)));
    next_ = buffer_->data();
    end_ = next_ + length;
    before_ += length;
    return length > 0;
  }

  std::FILE* file_ = nullptr;
  std::string name_;
  std::unique_ptr<std::array<char, 65536>> buffer_;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t before_ = 0;  ///< The number of bytes before `end_`.
  bool ended_ = false;
};

/// A byte_source as a pair of iterators, for the parser.
class byte_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  byte_iterator() = default;  ///< The end.
  explicit byte_iterator(byte_source& source) : source_(&source) {}

  char operator*() const {
    const char c = source_->current();
    // The parser would take it for the end, and skip everything after it.
    if (c == '\0') throw wrong_value("not JSON, but binary: the file has a zero byte");
    return c;
  }
  byte_iterator& operator++() {
    source_->advance();
    return *this;
  }
  bool operator!=(const byte_iterator&) const { return !source_->at_end(); }
  bool operator==(const byte_iterator&) const { return source_->at_end(); }

 private:
  byte_source* source_ = nullptr;
};

/// Called by the parser of nlohmann-json, which prescribes the names.
class sax {
 public:
  using json = nlohmann::json;
  using type = json_value::type;

  sax(trace_builder& builder, const byte_source& bytes) : builder_(builder), bytes_(bytes) {}

  bool null() { return scalar(json_value(type::null)); }
  bool boolean(bool) { return scalar(json_value(type::boolean)); }
  bool number_integer(std::int64_t value) { return scalar(json_value(value)); }
  bool number_unsigned(std::uint64_t value) { return scalar(json_value(value)); }
  bool number_float(double value, const std::string&) { return scalar(json_value(value)); }
  bool string(std::string& value) { return scalar(json_value(std::string_view(value))); }
  bool binary(json::binary_t&) { return scalar(json_value(type::null)); }
  bool key(std::string& name) {
    builder_.key(name);
    return true;
  }
  bool start_object(std::size_t) { return begin(type::object); }
  bool start_array(std::size_t) { return begin(type::list); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }

  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    std::string_view said = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    for (const std::string_view before : {"] ", "column ", ": "})
      if (const auto found = said.find(before); found != said.npos)
        said.remove_prefix(found + before.size());
    // The parser has many messages for it: in a text, in an escape, in a number, in `true`.
    throw wrong_value(bytes_.has_ended()
                          ? "the file ends in the middle; is it cut short, or still being written?"
                          : "not JSON: " + readable(said));
  }

 private:
  bool scalar(const json_value& value) {
    builder_.scalar(value);
    return true;
  }
  bool begin(type object_or_list) {
    builder_.begin(object_or_list);
    return true;
  }
  bool end() {
    builder_.end();
    return true;
  }

  /// The parser quotes the file, which may contain anything, in any amount.
  static std::string readable(std::string_view said) {
    std::string result(said.substr(0, 200));
    for (char& c : result)
      if (c < 0x20 || c > 0x7E) c = '?';
    return result;
  }

  trace_builder& builder_;
  const byte_source& bytes_;
};

trace_data read(byte_source& bytes, const std::string& name, const trace_limits& limits) {
  try {
    if (bytes.at_end()) throw wrong_value("the file is empty");
    if (bytes.current() == '\x1f') throw wrong_value("not JSON, but compressed: unpack it first");
    trace_builder builder(limits);
    sax events(builder, bytes);
    nlohmann::json::sax_parse(byte_iterator(bytes), byte_iterator(), &events);
    trace_data result = builder.finish();
    result.file = name;
    return result;
  } catch (const wrong_value& error) {
    throw trace_error(name, bytes.offset(), error.what());
  }
}

}  // namespace

trace_error::trace_error(const std::string& file, std::uint64_t offset,
                         const std::string& what_was_wrong)
    : std::runtime_error(fmt::format("{}: byte {}: {}", file, offset, what_was_wrong)),
      offset_(offset) {}

trace_data read_trace(const std::filesystem::path& path, const trace_limits& limits) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rbe"), [](auto* f) { return std::fclose(f); });
  if (!file)
    throw trace_error(path.string(), 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // byte_source has its own buffer
  byte_source bytes(file.get(), path.string());
  return read(bytes, path.string(), limits);
}

trace_data parse_trace(std::string_view text, const std::string& name, const trace_limits& limits) {
  byte_source bytes(text);
  return read(bytes, name, limits);
}

}  // namespace filch::report

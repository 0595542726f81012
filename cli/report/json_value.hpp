// A value of a JSON file, and functions that check its type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace filch::report {

/// A value of the wrong type: "\"jobs\" should be a whole number from 0, not -3".
class wrong_value : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value without its contents: an object or a list has none here.
class json_value {
 public:
  enum class type : unsigned char { null, boolean, whole, huge, real, text, object, list };

  explicit json_value(type of) : type_(of) {}
  explicit json_value(std::int64_t number) : type_(type::whole), whole_(number) {}
  explicit json_value(std::uint64_t number);
  explicit json_value(double number) : type_(type::real), real_(number) {}
  explicit json_value(std::string_view text) : type_(type::text), text_(text) {}

  bool is_number() const {
    return type_ == type::whole || type_ == type::huge || type_ == type::real;
  }
  bool is_null() const { return type_ == type::null; }
  bool is_text() const { return type_ == type::text; }

  /// All of these throw a wrong_value that names `key` if the value is of another type.
  std::uint64_t count(std::string_view key) const;
  std::int64_t whole(std::string_view key) const;
  double number(std::string_view key) const;
  std::string_view text(std::string_view key) const;
  /// Converts a number of microseconds, rounded; at most `limit`.
  std::uint64_t nanoseconds(std::string_view key, std::uint64_t limit) const;
  [[noreturn]] void refuse(std::string_view key, std::string_view wanted) const;

 private:
  double as_double() const { return type_ == type::real ? real_ : static_cast<double>(whole_); }
  std::string shown() const;

  type type_;
  std::int64_t whole_ = 0;
  double real_ = 0.0;
  std::string_view text_;
};

/// At most the first `limit` bytes, without cutting a character. Adds an ellipsis if there was
/// more.
std::string cut(std::string_view text, std::size_t limit);

/// Text that may come from a hostile file, for one line on a terminal: about 80 bytes, printable.
std::string excerpt(std::string_view text);

}  // namespace filch::report

// A value of a JSON file with the key it stands at, and what one may want it to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace filch::report {

/// What a value is not: "\"jobs\" should be a whole number from 0, not -3".
class wrong_value : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value, seen from outside: an object or a list has no contents here.
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

  /// All of these throw wrong_value, naming `key`, if the value is something else.
  std::uint64_t count(std::string_view key) const;
  std::int64_t whole(std::string_view key) const;
  double number(std::string_view key) const;
  std::string_view text(std::string_view key) const;
  /// From a number of microseconds, rounded; at most `limit`.
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

/// The first `limit` bytes at most, no character in two; with an ellipsis if there was more.
std::string cut(std::string_view text, std::size_t limit);

/// What may come from a hostile file, for a line on a terminal: about 80 bytes, printable.
std::string excerpt(std::string_view text);

}  // namespace filch::report

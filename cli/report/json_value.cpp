#include "report/json_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/printable.hpp"

namespace filch::report {
namespace {

// Whole numbers up to here may also be written as 5.0 or 5e3: a double represents them exactly.
constexpr double exact = 9007199254740992.0;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

json_value::json_value(std::uint64_t number) : type_(type::whole) {
  if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    whole_ = static_cast<std::int64_t>(number);
  } else {
    type_ = type::huge;
    real_ = static_cast<double>(number);
  }
}

std::uint64_t json_value::count(std::string_view key) const {
  if (type_ == type::whole && whole_ >= 0) return static_cast<std::uint64_t>(whole_);
  if (type_ == type::real && real_ >= 0 && real_ <= exact && real_ == std::floor(real_))
    return static_cast<std::uint64_t>(real_);
  refuse(key, "a whole number from 0 to 2^63");
}

std::int64_t json_value::whole(std::string_view key) const {
  if (type_ == type::whole) return whole_;
  if (type_ == type::real && std::abs(real_) <= exact && real_ == std::floor(real_))
    return static_cast<std::int64_t>(real_);
  refuse(key, "a whole number from -2^63 to 2^63");
}

double json_value::number(std::string_view key) const {
  if (type_ == type::whole || (type_ == type::real && std::isfinite(real_))) return as_double();
  if (type_ == type::huge) return real_;
  refuse(key, "a number");
}

std::string_view json_value::text(std::string_view key) const {
  if (type_ == type::text) return text_;
  refuse(key, "a text");
}

std::uint64_t json_value::nanoseconds(std::string_view key, std::uint64_t limit) const {
  const double time = type_ == type::whole || type_ == type::real ? as_double() * 1000.0 : -1.0;
  // Written so that a NaN is refused.
  if (!(time >= 0.0 && time <= static_cast<double>(limit)))
    refuse(key, fmt::format("a number of microseconds from 0 to {}", limit / 1000));
  return static_cast<std::uint64_t>(std::llround(time));
}

void json_value::refuse(std::string_view key, std::string_view wanted) const {
  throw wrong_value(fmt::format("\"{}\" should be {}, not {}", excerpt(key), wanted, shown()));
}

std::string json_value::shown() const {
  switch (type_) {
    case type::null:
      return "null";
    case type::boolean:
      return "true or false";
    case type::whole:
      return fmt::format("{}", whole_);
    case type::huge:
    case type::real:
      return fmt::format("{}", real_);
    case type::text:
      return fmt::format("the text \"{}\"", excerpt(text_));
    case type::object:
      return "an object";
    case type::list:
      return "a list";
  }
  return "something else";
}

std::string cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit;
  while (end > 0 && continues(text[end])) --end;
  return std::string(text.substr(0, end)) + "\u2026";
}

std::string excerpt(std::string_view text) { return cli::printable(cut(text, 80)); }

}  // namespace filch::report

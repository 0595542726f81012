#include "demo/traced.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "base/errors.hpp"
#include "filch/errors.hpp"
#include "filch/trace.hpp"

namespace filch::cli {

void trace_loads(const std::vector<std::unique_ptr<load>>& loads, variant& by,
                 const std::filesystem::path& file) {
  try {
    filch::trace trace(file.string());
    for (const auto& l : loads) {
      l->prepare();
      const filch::trace_span span(l->name());
      by.run(*l);
    }
    if (const std::error_code error = trace.finish())
      throw failure(fmt::format("demo: cannot write '{}': {}", file.string(), error.message()));
  } catch (const filch::usage_error& error) {
    throw failure(fmt::format("demo: {}", error.what()));
  } catch (const std::system_error& error) {
    throw failure(fmt::format("demo: {}", error.what()));
  }
}

void add_comparison(const std::filesystem::path& file, const nlohmann::json& comparison) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  in.close();
  // Inserts into the text instead of parsing it: a trace may be large, and its times must keep
  // their digits.
  constexpr std::string_view where = "\"filch\":{";
  const std::size_t at = text.find(where);
  if (at == text.npos)
    throw failure(fmt::format("demo: '{}' is not a trace of filch", file.string()));
  text.insert(at + where.size(), "\"comparison\":" + comparison.dump() + ",");
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw failure(fmt::format("cannot write '{}'", file.string()));
}

}  // namespace filch::cli

// filch doctor: what filch finds on this machine, and possible problems.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/arguments.hpp"
#include "base/errors.hpp"
#include "base/output.hpp"
#include "base/printable.hpp"
#include "commands/command.hpp"
#include "doctor/examination.hpp"
#include "terminal/style.hpp"
#include "terminal/table.hpp"

namespace filch::cli {

command add_doctor(CLI::App& program) {
  CLI::App& app =
      add_command(program, "doctor", "Show what filch finds on this machine, and warn of problems",
                  "  filch doctor\n"
                  "  filch doctor --json | python3 -m json.tool\n");
  auto json = std::make_shared<bool>(false);
  add_json(app, *json, "Print the findings and warnings as JSON");
  return {&app, [json] {
            const examination found = examine("/");
            if (*json) {
              print_json(json_of(found));
              return static_cast<int>(done);
            }
            table t({{"", align::left}, {"", align::left}});
            for (const finding& f : found.findings) t.add({f.what, printable(f.text)});
            write(t.text().substr(1));  // without the header line
            const bool colours = colours_wanted();
            for (const std::string& w : found.warnings)
              print("{} {}\n", styled("warning:", style::bad, colours), printable(w));
            if (found.warnings.empty()) print("No warnings.\n");
            return static_cast<int>(done);
          }};
}

}  // namespace filch::cli

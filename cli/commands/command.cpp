#include "commands/command.hpp"

#include <memory>
#include <utility>

namespace filch::cli {

namespace {

class usage_with_rest : public CLI::Formatter {
 public:
  explicit usage_with_rest(std::string rest) : rest_(std::move(rest)) {}
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    return usage.insert(usage.find_last_not_of('\n') + 1, rest_);
  }

 private:
  std::string rest_;
};

}  // namespace

CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& about,
                      const std::string& examples, const std::string& rest) {
  CLI::App& app = *program.add_subcommand(name, about);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.formatter(std::make_shared<usage_with_rest>(rest.empty() ? "" : " " + rest));
  app.footer("Examples:\n" + examples +
             "\nExit codes: 0 done, 1 failed or wrong, 2 bad arguments, 130 interrupted.");
  return app;
}

}  // namespace filch::cli

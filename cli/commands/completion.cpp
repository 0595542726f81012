// Scripts that complete this program's command line, made from what it accepts: they cannot be out
// of date.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"

namespace filch::cli {
namespace {

/// A word that may come next, and what it means.
struct word {
  std::string text;
  std::string about;
};

std::vector<word> options_of(const CLI::App& app) {
  std::vector<word> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // not for everybody
    for (const std::string& name : option->get_snames())
      words.push_back({"-" + name, option->get_description()});
    for (const std::string& name : option->get_lnames())
      words.push_back({"--" + name, option->get_description()});
  }
  return words;
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

/// The words that stand for themselves, without a dash.
std::string plain_words(const std::string& command) {
  if (command == "demo") return "imbalance sort mandelbrot tree all";
  if (command == "completion") return "bash zsh";
  return "";
}

std::string joined(const std::vector<word>& words) {
  std::string all;
  for (const word& w : words) all += (all.empty() ? "" : " ") + w.text;
  return all;
}

std::string bash_script(const CLI::App& program) {
  std::string cases, names;
  for (const CLI::App* app : commands_of(program)) {
    names += (names.empty() ? "" : " ") + app->get_name();
    const std::string plain = plain_words(app->get_name());
    cases += fmt::format("    {}) words=\"{}{}\" ;;\n", app->get_name(), joined(options_of(*app)),
                         plain.empty() ? "" : " " + plain);
  }
  return fmt::format(R"(# bash completion for filch; made by: filch completion bash
_filch() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command="" words="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    # What comes after -- is somebody else's command.
    if [[ ${{COMP_WORDS[i]}} == -- ]]; then
      COMPREPLY=($(compgen -c -f -- "$word"))
      return
    fi
    [[ -z $command && ${{COMP_WORDS[i]}} != -* ]] && command=${{COMP_WORDS[i]}}
  done
  case $command in
{}    *) words="{} {}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ -z $command || $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"))
}}
complete -o filenames -F _filch filch
)",
                     cases, names, joined(options_of(program)));
}

/// For a pair of single quotes in zsh, and for what _describe and _arguments split at.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_script(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* app : commands_of(program)) {
    names += fmt::format("    '{}:{}'\n", app->get_name(), quoted(app->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n", app->get_name());
    for (const word& w : options_of(*app))
      cases += fmt::format("        '{}[{}]' \\\n", w.text, quoted(w.about));
    const std::string plain = plain_words(app->get_name());
    cases += plain.empty() ? "        '*:file:_files' ;;\n"
                           : fmt::format("        '*:what:({})' ;;\n", plain);
  }
  std::string own;
  for (const word& w : options_of(program))
    own += fmt::format("        '{}[{}]' \\\n", w.text, quoted(w.about));
  return fmt::format(R"(#compdef filch
# zsh completion for filch; made by: filch completion zsh
_filch() {{
  local -a commands
  commands=(
{})
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then
      _arguments \
{}        && return
    fi
    _describe 'command' commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
{}  esac
}}
# Both ways: from $fpath, where zsh calls the file as a function, and by eval.
if [[ $funcstack[1] == _filch ]]; then
  _filch "$@"
else
  compdef _filch filch
fi
)",
                     names, own, cases);
}

}  // namespace

command add_completion(CLI::App& program) {
  CLI::App& app =
      add_command(program, "completion", "Print a script that completes filch's options",
                  "  eval \"$(filch completion bash)\"      in ~/.bashrc\n"
                  "  filch completion zsh > ~/.zfunc/_filch\n");
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash or zsh")->required()->type_name("SHELL");
  return {&app, [&program, shell] {
            if (*shell == "bash")
              write(bash_script(program));
            else if (*shell == "zsh")
              write(zsh_script(program));
            else
              throw bad_argument(fmt::format(
                  "completion: there is a script for bash and zsh, not for '{}'", *shell));
            return static_cast<int>(done);
          }};
}

}  // namespace filch::cli

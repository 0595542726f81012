// Scripts that complete this program's command line. They are made from what the program accepts,
// so they cannot be out of date.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/arguments.hpp"
#include "base/errors.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"

namespace filch::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

/// The options with a dash that are not hidden.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* o) { return !o->get_group().empty() && !o->get_positional(); });
}

/// The positional argument, or null. No command has more than one.
const CLI::Option* plain_of(const CLI::App& app) {
  const auto all = app.get_options([](const CLI::Option* o) { return o->get_positional(); });
  return all.empty() ? nullptr : all.front();
}

/// For example -o and --output.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

bool is_file(const CLI::Option& option) {
  return option.get_type_name() == "FILE" || option.get_type_name() == "NAME";
}

/// Does it run a program, given after -- ?
bool runs_program(const CLI::App& app) {
  return app.get_name() == "trace" || app.get_name() == "top";
}

// ---- bash ---------------------------------------------------------------------------------------

/// The bash code that sets COMPREPLY to the possible values of `option`: nothing for a number.
std::string bash_values(const CLI::Option& option) {
  if (is_file(option)) return "_filch_files";
  const std::vector<std::string> choices = choices_of(option);
  return choices.empty() ? ":" : fmt::format("_filch_words \"{}\"", fmt::join(choices, " "));
}

std::string bash_script(const CLI::App& program) {
  std::string values, options, plain;
  const auto add = [&](const CLI::App& app, const std::string& command) {
    std::vector<std::string> all;
    for (const CLI::Option* option : options_of(app)) {
      const std::vector<std::string> names = names_of(*option);
      all.insert(all.end(), names.begin(), names.end());
      if (takes_value(*option))
        values +=
            fmt::format("    '{0} {1}') {2}; return ;;\n", command,
                        fmt::join(names, fmt::format("' | '{} ", command)), bash_values(*option));
    }
    if (runs_program(app)) all.emplace_back("--");
    options += fmt::format("    '{}') options='{}' ;;\n", command, fmt::join(all, " "));
    if (const CLI::Option* const one = plain_of(app))
      plain += fmt::format("    '{}') {}; return ;;\n", command, bash_values(*one));
  };
  std::vector<std::string> commands;
  add(program, "");
  for (const CLI::App* app : commands_of(program)) {
    add(*app, app->get_name());
    commands.push_back(app->get_name());
  }
  plain += fmt::format("    '') _filch_words '{}'; return ;;\n", fmt::join(commands, " "));
  return fmt::format(R"(# bash completion for filch; made by: filch completion bash
_filch_words() {{ COMPREPLY=($(compgen -W "$1" -- "$word")); }}
_filch_files() {{
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}}
_filch() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' options='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    # What comes after -- is the command line of another program.
    if [[ ${{COMP_WORDS[i]}} == -- ]]; then
      if declare -F _command_offset > /dev/null; then
        _command_offset $((i + 1))
      elif ((COMP_CWORD == i + 1)); then
        mapfile -t COMPREPLY < <(compgen -c -f -- "$word" | sort -u)
      else
        _filch_files
      fi
      return
    fi
    [[ -z $command && ${{COMP_WORDS[i]}} != -* ]] && command=${{COMP_WORDS[i]}}
  done
  # --output=x comes as three words.
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case "$command $before" in
{}  esac
  case $command in
{}  esac
  [[ $word == -* ]] || case $command in
{}  esac
  _filch_words "$options"
}}
complete -F _filch filch
)",
                     values, options, plain);
}

// ---- zsh ----------------------------------------------------------------------------------------

/// Escapes a text for single quotes in zsh, and for the separators of _describe and _arguments.
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

/// The end of a specification of _arguments: the kind of value, and how it is completed.
std::string zsh_value(const CLI::Option& option) {
  if (is_file(option)) return ":file:_files";
  const std::vector<std::string> choices = choices_of(option);
  return choices.empty() ? fmt::format(":{}: ", option.get_type_name())
                         : fmt::format(":{}:({})", option.get_name(), fmt::join(choices, " "));
}

/// The specifications of a command, one per line.
std::string zsh_arguments(const CLI::App& app) {
  std::string lines;
  for (const CLI::Option* option : options_of(app)) {
    const std::vector<std::string> names = names_of(*option);
    for (const std::string& name : names) {
      const bool value = takes_value(*option);
      const char* const joined = !value ? "" : name.starts_with("--") ? "=" : "+";
      lines += fmt::format(" \\\n        '({}){}{}[{}]{}'", fmt::join(names, " "), name, joined,
                           quoted(option->get_description()), value ? zsh_value(*option) : "");
    }
  }
  if (const CLI::Option* const one = plain_of(app))
    lines += fmt::format(" \\\n        '1{}'", zsh_value(*one));
  return lines;
}

std::string zsh_script(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* app : commands_of(program)) {
    names += fmt::format("    '{}:{}'\n", app->get_name(), quoted(app->get_description()));
    cases += fmt::format("    {})\n", app->get_name());
    if (runs_program(*app))
      cases += "      [[ $words[CURRENT] == -- ]] && compadd -- -- && return\n";
    cases += fmt::format("      _arguments{} ;;\n", zsh_arguments(*app));
  }
  return fmt::format(R"(#compdef filch
# zsh completion for filch; made by: filch completion zsh
_filch() {{
  local -a commands
  commands=(
{})
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then
      _arguments{}
    else
      _describe 'command' commands
    fi
    return
  fi
  local name=$words[2]
  # What comes after -- is the command line of another program.
  local dashes=${{words[(ie)--]}}
  if (( dashes < CURRENT )); then
    shift $dashes words
    (( CURRENT -= dashes ))
    _normal
    return
  fi
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
                     names, zsh_arguments(program), cases);
}

}  // namespace

command add_completion(CLI::App& program) {
  CLI::App& app =
      add_command(program, "completion", "Print a script that completes commands and options",
                  "  eval \"$(filch completion bash)\"      in ~/.bashrc\n"
                  "  filch completion zsh > ~/.zfunc/_filch\n");
  auto shell = std::make_shared<std::string>();
  add_choice(app, "shell", *shell, {"bash", "zsh"}, "The shell")->required();
  return {&app, [&program, shell] {
            write(*shell == "bash" ? bash_script(program) : zsh_script(program));
            return static_cast<int>(done);
          }};
}

}  // namespace filch::cli

// filch top: what the workers of a running program do.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/arguments.hpp"
#include "base/child.hpp"
#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/numbers.hpp"
#include "base/output.hpp"
#include "commands/command.hpp"
#include "live/live_file.hpp"
#include "live/view.hpp"
#include "terminal/screen.hpp"
#include "terminal/style.hpp"

namespace filch::cli {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

enum class format : unsigned char { screen, lines, json, prometheus };

struct top_options {
  std::uint64_t pid = 0;
  double interval = 1;
  double seconds = 0;  // 0: until the program ends
  bool once = false;
  bool json = false;
  bool prometheus = false;
};

std::uint64_t unix_ns() {
  using namespace std::chrono;
  const auto since = duration_cast<nanoseconds>(system_clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(since.count());
}

bool is_alive(pid_t pid) { return kill(pid, 0) == 0 || errno == EPERM; }

/// The observed program, and the samples of it.
class observed_program {
 public:
  explicit observed_program(live_file file) : file_(std::move(file)) { look(); }

  /// Reads the page again. recent() is then the difference to the page before.
  void look() {
    if (auto page = file_.read())
      page_ = std::move(page);
    else if (!page_)
      throw failure(
          "top: the program was stopped while it wrote its counters, so they are not complete; try "
          "again");
    const std::uint64_t now = unix_ns();
    age_ns_ = now - std::min(now, page_->updated_unix_ns);
    left_out_ = std::max(left_out_, page_->pools_left_out);
    std::vector<pool_view> pools = pools_of(*page_, now);
    for (const pool_view& p : pools) seen_.insert_or_assign(p.id, p);
    std::erase_if(pools, [](const pool_view& p) { return p.ended; });
    last_ = std::exchange(now_, std::move(pools));
    while (seen_.size() > most_kept) seen_.erase(seen_.begin());
  }
  /// The pools that exist now.
  const std::vector<pool_view>& now() const { return now_; }
  /// All pools, those that have ended included, with their totals; at most `most_kept`, the newest.
  std::vector<pool_view> all() const {
    std::vector<pool_view> pools;
    for (const auto& [id, pool] : seen_) pools.push_back(pool);
    return pools;
  }
  std::vector<pool_view> recent() const { return between(last_, now_); }
  /// The largest number of pools that did not fit into the page at once.
  std::uint32_t left_out() const { return left_out_; }
  bool has_writer() const { return file_.has_writer(); }
  std::string program() const { return text_in(page_->program); }
  std::uint64_t pid() const { return page_->pid; }
  std::string title() const {
    const bool silent = page_->all_asleep == 0 && has_writer() && age_ns_ > 20 * page_->interval_ns;
    return fmt::format("filch top: {} (process {}){}", program(), pid(),
                       page_->all_asleep != 0 ? ", asleep"
                       : silent               ? fmt::format(", no new counters for {} (stopped?)",
                                                            duration_text(static_cast<double>(age_ns_) * 1e-9))
                                              : "");
  }

 private:
  live_file file_;
  std::unique_ptr<detail::live_page> page_;
  std::uint64_t age_ns_ = 0;  // of the page
  std::uint32_t left_out_ = 0;
  std::vector<pool_view> last_, now_;
  static constexpr std::size_t most_kept = 64;
  std::map<std::uint32_t, pool_view> seen_;
};

void print_look(const observed_program& w, const std::vector<pool_view>& pools, const char* of) {
  print_json({{"program", w.program()},
              {"pid", w.pid()},
              {"of", of},
              {"pools", json_of(pools)},
              {"pools_left_out", w.left_out()}},
             -1);
}

/// Prints the result at the end.
void print_summary(const observed_program& w, const std::vector<pool_view>& pools, format how) {
  switch (how) {
    case format::json:
      print_look(w, pools, "all");
      break;
    case format::prometheus:
      write(prometheus_of(w.program(), w.pid(), pools, w.left_out()));
      break;
    case format::screen:
    case format::lines:
      for (const std::string& line : screen_of(w.title(), pools, pools, w.left_out(), false))
        print("{}\n", line);
  }
}

/// Observes until the program ends, the time is over, or the user stops it.
class observer {
 public:
  observer(const top_options& o, format how, std::function<bool()> is_over)
      : o_(o), how_(how), is_over_(std::move(is_over)) {}

  void run(observed_program& w) {
    std::unique_ptr<screen> view;
    if (how_ == format::screen) view = std::make_unique<screen>();
    const clock::time_point start = clock::now();
    while (!is_over_() && !was_interrupted() && !left_) {
      if (o_.seconds > 0 && clock::now() - start >= std::chrono::duration<double>(o_.seconds))
        break;
      if (!pause(view.get(), w)) continue;
      w.look();
      show(view.get(), w);
    }
    w.look();
  }

 private:
  void show(screen* view, const observed_program& w) {
    if (how_ == format::screen) {
      std::vector<std::string> lines =
          screen_of(w.title(), w.now(), w.recent(), w.left_out(), colours_wanted());
      lines.emplace_back();
      lines.emplace_back("q quits");
      view->draw(fitted(std::move(lines), size_of_terminal(STDOUT_FILENO).rows, 1));
    } else if (how_ == format::json) {
      print_look(w, w.recent(), "interval");
    } else if (how_ == format::lines) {
      write(lines_of(w.recent(), w.left_out()));
    }
    std::fflush(stdout);
  }

  /// Waits for the next sample in small steps, because the program may end. Returns false if there
  /// is no reason for another sample. Draws the screen again when it was disturbed.
  bool pause(screen* view, const observed_program& w) {
    const auto interval = std::chrono::duration<double>(o_.interval);
    if (first_) {  // shows something at once
      first_ = false;
      if (view != nullptr) show(view, w);
    }
    for (const clock::time_point start = clock::now(); clock::now() - start < interval;) {
      if (is_over_() || was_interrupted()) return false;
      const auto left = std::chrono::duration_cast<milliseconds>(interval - (clock::now() - start));
      const milliseconds step = std::clamp(left, milliseconds(1), milliseconds(50));
      if (view == nullptr) {
        std::this_thread::sleep_for(step);
        continue;
      }
      const std::optional<char> key = view->key(step);
      if (key && (*key == 'q' || *key == 'Q')) {
        left_ = true;
        return false;
      }
      if (view->was_disturbed()) show(view, w);
    }
    return true;
  }

  const top_options& o_;
  format how_;
  std::function<bool()> is_over_;
  bool first_ = true;
  bool left_ = false;
};

int watch_process(const top_options& o, format how) {
  const auto pid = static_cast<pid_t>(o.pid);
  if (!is_alive(pid)) throw bad_argument(fmt::format("top: there is no process {}", pid));
  if (access(fmt::format("/proc/{}/fd", pid).c_str(), R_OK | X_OK) != 0)
    throw failure(
        fmt::format("top: cannot read the counters of process {}: {}. Only its user and root can",
                    pid, std::strerror(errno)));
  std::optional<live_file> file = live_file::open(pid);
  if (!file)
    throw failure(fmt::format(
        "top: process {} publishes no counters. A program publishes them if it uses filch and was "
        "started with FILCH_LIVE=1; filch top -- PROGRAM starts it so",
        pid));
  observed_program w(std::move(*file));
  if (!o.once) observer(o, how, [&] { return !w.has_writer(); }).run(w);
  print_summary(w, o.once ? w.now() : w.all(), how);
  return was_interrupted() ? interrupted : done;
}

/// Holds the program's output while its counters use the screen.
class set_aside {
 public:
  set_aside() : file_(std::tmpfile()) {
    if (file_ == nullptr)
      throw failure(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  }
  set_aside(const set_aside&) = delete;
  set_aside& operator=(const set_aside&) = delete;
  ~set_aside() { (void)std::fclose(file_); }
  int descriptor() const { return fileno(file_); }
  void print_all() {
    std::rewind(file_);
    char buffer[4096];
    while (const std::size_t length = std::fread(buffer, 1, sizeof buffer, file_))
      write(std::string_view(buffer, length));
  }

 private:
  std::FILE* file_;
};

int watch_command(const top_options& o, format how, const std::vector<std::string>& words) {
  std::unique_ptr<set_aside> output;
  child::start_options settings{.environment = {{"FILCH_LIVE", "1"}}};
  if (how == format::screen) {
    output = std::make_unique<set_aside>();
    settings.output = output->descriptor();
  }
  child program(words, settings);
  const clock::time_point start = clock::now();
  const auto over = [&] {
    return program.poll().has_value() || was_interrupted() ||
           (o.seconds > 0 && clock::now() - start >= std::chrono::duration<double>(o.seconds));
  };
  std::optional<observed_program> w;
  while (!w && !over()) {
    if (std::optional<live_file> file = live_file::open(program.pid()))
      w.emplace(std::move(*file));
    else
      std::this_thread::sleep_for(milliseconds(2));
  }
  if (w) observer(o, how, over).run(*w);
  const bool ended = program.poll().has_value();
  constexpr std::chrono::seconds patience{5};
  if (!ended && !program.end(patience))
    complain(fmt::format("top: '{}' did not end within {} s of SIGTERM, and was killed", words[0],
                         patience.count()));
  const int code = program.wait();
  if (output) output->print_all();
  if (!w) {
    complain(fmt::format(
        "top: '{}' has ended with exit code {} and published no counters: it made no pool of "
        "filch, or made it just before it ended. (filch top observes the process of '{}', not "
        "those that it starts. A script has to start the program with exec; or start the script "
        "with FILCH_LIVE=1, and give the process of the program to --pid)",
        words[0], code, words[0]));
    return was_interrupted() ? interrupted : code != 0 ? code : failed;
  }
  print_summary(*w, w->all(), how);
  if (was_interrupted()) return interrupted;
  return ended ? code : done;
}

int run_top(const top_options& o, const std::vector<std::string>& words) {
  if (o.json && o.prometheus) throw bad_argument("top: --json or --prometheus, not both");
  if (!words.empty() && o.pid != 0)
    throw bad_argument("top: --pid N or a program after --, not both");
  if (words.empty() && o.pid == 0)
    throw bad_argument(
        "top: no process was given; give --pid N, or a program after --, as in: filch top -- "
        "./program");
  if (o.once && !words.empty())
    throw bad_argument("top: --once needs --pid: a program that was just started has done nothing");
  const format how = o.json         ? format::json
                     : o.prometheus ? format::prometheus
                     : is_terminal(STDOUT_FILENO) && isatty(STDIN_FILENO) && !o.once
                         ? format::screen
                         : format::lines;
  const interrupt_guard guard;
  return words.empty() ? watch_process(o, how) : watch_command(o, how, words);
}

}  // namespace

command add_top(CLI::App& program, const std::vector<std::string>& rest) {
  CLI::App& app = add_command(program, "top", "Show what the workers of a program do while it runs",
                              "  filch top -- ./program --its-own-options\n"
                              "  FILCH_LIVE=1 ./server & filch top --pid $!\n"
                              "  filch top --pid 123 --once --prometheus\n"
                              "With -- the exit code is that of the program. On a terminal, q and "
                              "Ctrl-C quit, and end a\n"
                              "program that filch top has started. filch top observes only that "
                              "process, not those that it starts.\n",
                              "--pid N | -- PROGRAM...");
  auto o = std::make_shared<top_options>();
  add_count(app, "--pid", o->pid, 1, 1U << 22U, "Process to observe, started with FILCH_LIVE=1");
  add_seconds(app, "--interval", o->interval, "Time between two samples (default: 1)");
  add_seconds(app, "--seconds", o->seconds, "How long to go on (default: until the program ends)");
  add_switch(app, "--once", o->once, "Print one sample of --pid and exit");
  add_json(app, o->json,
           "Print a line of JSON for each sample, and one for the whole time at the end");
  add_switch(app, "--prometheus", o->prometheus,
             "Print the counters at the end, in Prometheus' format");
  return {&app, [o, &rest] { return run_top(*o, rest); }};
}

}  // namespace filch::cli

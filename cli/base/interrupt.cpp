#include "base/interrupt.hpp"

#include <array>
#include <csignal>
#include <cstddef>

namespace filch::cli {
namespace {

volatile std::sig_atomic_t asked = 0;
constexpr std::array<int, 4> caught = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
std::array<struct sigaction, caught.size()> before;

extern "C" void ask(int signal) {
  asked = 1;
  // The next signal ends the program.
  std::signal(signal, SIG_DFL);
}

}  // namespace

interrupt_guard::interrupt_guard() {
  struct sigaction action = {};
  action.sa_handler = ask;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < caught.size(); ++i) {
    sigaction(caught[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(caught[i], &action, nullptr);  // nohup
  }
}

interrupt_guard::~interrupt_guard() {
  for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &before[i], nullptr);
}

bool was_interrupted() noexcept { return asked != 0; }

}  // namespace filch::cli

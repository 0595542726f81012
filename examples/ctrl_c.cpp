// Ctrl-C ends a loop: the program prints what it has, and exits as it should.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <thread>

#include "filch/filch.hpp"

int main() {
  // Before the first thread is made, so that every thread has SIGINT blocked.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);

  // One thread waits for the signal. It may do anything: it is no signal handler.
  std::stop_source stop;
  std::thread waiter([&] {
    int number = 0;
    sigwait(&interrupt, &number);
    stop.request_stop();
  });

  std::atomic<long> done = 0;
  try {
    filch::parallel_for(0, 1'000'000'000,
                        [&](int) {
                          if (++done == 1000)
                            kill(getpid(), SIGINT);  // stands for the user, who presses Ctrl-C
                        },
                        {.stop = stop.get_token()});
  } catch (const filch::cancelled& e) {
    std::printf("%s\n", e.what());
  }
  kill(getpid(), SIGINT);  // if the loop ended by itself, the thread still waits
  waiter.join();
  std::printf("interrupted after %s items\n", done > 0 ? "some" : "no");
  return done > 0 && done < 1'000'000'000 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// One benchmark, one process, one line of JSON per sample: runtimes never share a process, so no
// leftover thread of one can slow another.
#pragma once

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench {

struct options {
  int workers = 1;
  int samples = 1;
};

/// `program WORKERS SAMPLES`. Anything else: a message and exit code 2.
inline options parse(int argc, char** argv) {
  options o;
  const auto number = [&](int i, int& value) {
    const char* const end = argv[i] + std::strlen(argv[i]);
    const auto [rest, error] = std::from_chars(argv[i], end, value);
    if (error != std::errc() || rest != end || value < 1) {
      std::fprintf(stderr, "%s: '%s' is not a number of 1 or more\nusage: %s WORKERS SAMPLES\n",
                   argv[0], argv[i], argv[0]);
      std::exit(2);
    }
  };
  if (argc > 3) {
    std::fprintf(stderr, "usage: %s WORKERS SAMPLES\n", argv[0]);
    std::exit(2);
  }
  if (argc > 1) number(1, o.workers);
  if (argc > 2) number(2, o.samples);
  return o;
}

/// `value`, in a way the compiler cannot see through: else clang computes a pure benchmark at
/// compile time.
template <class T>
T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

/// Runs `body` once to warm up, then times it `o.samples` times. Every answer is checked.
template <class Body, class Answer>
int run(const char* problem, const char* runtime, options o, Body body, Answer expected) {
  for (int sample = -1; sample < o.samples; ++sample) {
    const auto start = std::chrono::steady_clock::now();
    const auto answer = body();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (answer != expected) {
      std::fprintf(stderr, "%s/%s: wrong answer\n", problem, runtime);
      return 1;
    }
    if (sample >= 0)
      std::printf(R"({"problem":"%s","runtime":"%s","workers":%d,"seconds":%.9f})"
                  "\n",
                  problem, runtime, o.workers, took.count());
  }
  return 0;
}

}  // namespace bench

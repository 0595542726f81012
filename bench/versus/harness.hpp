// What every program here shares. There is one process per problem, runtime and number of workers,
// so that no leftover thread of one runtime can slow another. A program prints one line of JSON per
// sample.
//
// A program is a page: the problems as one runtime solves them. docs/design/benchmarks.md shows how
// to add one.
#pragma once

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace bench {

/// The sizes of a problem: to publish, to look at quickly, to test that it works. Each problem
/// defines what its size counts.
struct sizes {
  int full;
  int quick;
  int tiny;
};

/// What is measured, in any runtime.
struct problem {
  const char* name;
  sizes size;
  /// The name and number of the operations in a sample: a sample is also shown as the time of one.
  const char* operation = "run";
  double (*operations)(int size) = [](int) { return 1.0; };
  int fewest_workers = 1;  ///< With fewer there is nothing to measure.

  /// Returns the same problem with smaller sizes, for a runtime that would take too long. Only for
  /// problems that are compared by their operations.
  problem at_most(int limit) const {
    problem p = *this;
    for (int* s : {&p.size.full, &p.size.quick, &p.size.tiny}) *s = *s < limit ? *s : limit;
    return p;
  }
};

/// Thrown if the command line was wrong.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Ends the program with exit code 1 if the runtime did not give the right result.
inline void require(bool correct, const char* what) {
  if (!correct) throw std::runtime_error(what);
}

/// Returns `value` in a way that the compiler cannot see through. Otherwise clang computes a pure
/// benchmark at compile time.
template <class T>
T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

/// Makes the compiler assume that `object` is read and changed here, so calls through it stay
/// calls.
template <class T>
void touch(T& object) {
  asm volatile("" : : "r"(&object) : "memory");
}

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Returns the peak memory of this process. It does not use getrusage(), whose figure survives
/// exec(), so that it would start with the memory of the runner's interpreter.
inline long peak_kb() {
  long kb = 0;
  if (std::FILE* const status = std::fopen("/proc/self/status", "r")) {
    for (char line[256]; std::fgets(line, sizeof line, status);)
      if (std::strncmp(line, "VmHWM:", 6) == 0) kb = std::strtol(line + 6, nullptr, 10);
    std::fclose(status);
  }
  return kb;
}

/// The arguments of a program: WORKERS SAMPLES [SIZE [PROBLEM]].
struct options {
  int workers = 1;
  int samples = 1;
  std::string_view size = "full";
  std::string_view problem = {};
};

inline int number(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < 1)
    throw usage_error("'" + std::string(text) + "' is not a number of 1 or more");
  return value;
}

inline options parse(int argc, char** argv) {
  options o;
  if (argc > 5) throw usage_error("too many arguments");
  if (argc > 1) o.workers = number(argv[1]);
  if (argc > 2) o.samples = number(argv[2]);
  if (argc > 3) o.size = argv[3];
  if (argc > 4) o.problem = argv[4];
  return o;
}

inline int pick(const sizes& s, std::string_view word) {
  if (word == "full") return s.full;
  if (word == "quick") return s.quick;
  if (word == "tiny") return s.tiny;
  return number(word);
}

/// The problems as `Runtime` solves them, and the main program around them. A Runtime is made from
/// a number of workers, has a name() and a version(), and run(f) calls f inside of it.
template <class Runtime>
class page {
 public:
  /// Returns the seconds that one sample of a size took; throws if it went wrong.
  using sample_function = std::function<double(Runtime&, int size)>;

  /// Adds a problem whose `body(size)`, or `body(runtime, size)`, must return `answer(size)`. The
  /// time runs from before the body enters the runtime until it has returned.
  template <class Answer, class Body>
  page& timed(const problem& p, Answer (*answer)(int), Body body) {
    return measured(p, [answer, body](Runtime& runtime, int size) {
      const Answer expected = answer(size);
      const int hidden = opaque(size);
      const stopwatch watch;
      const Answer found = runtime.run([&] { return call(body, runtime, hidden); });
      const double took = watch.seconds();
      require(found == expected, "wrong answer");
      return took;
    });
  }

  /// Adds a problem whose `body(input)`, or `body(runtime, input)`, must make `input.correct()`
  /// true. It is timed in the same way. Making the `Input` from a size and checking it are not
  /// timed.
  template <class Input, class Body>
  page& timed_on(const problem& p, Body body) {
    return measured(p, [body](Runtime& runtime, int size) {
      Input input(size);
      const stopwatch watch;
      runtime.run([&] { call(body, runtime, input); });
      const double took = watch.seconds();
      require(input.correct(), "wrong answer");
      return took;
    });
  }

  /// Adds a problem whose time is what `sample(runtime, size)` returns.
  page& measured(const problem& p, sample_function sample) {
    entries_.push_back({p, std::move(sample)});
    return *this;
  }

  int run(int argc, char** argv) const {
    try {
      if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
        list();
      } else {
        const options o = parse(argc, argv);
        measure(o, find(o.problem));
      }
      return 0;
    } catch (const usage_error& error) {
      std::fprintf(stderr, "%s: %s\nusage: %s WORKERS SAMPLES [full|quick|tiny|N [PROBLEM]]\n",
                   argv[0], error.what(), argv[0]);
      return 2;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
      return 1;
    }
  }

 private:
  struct entry {
    problem what;
    sample_function sample;
  };

  template <class Body, class Argument>
  static decltype(auto) call(Body& body, Runtime& runtime, Argument& argument) {
    if constexpr (std::invocable<Body&, Runtime&, Argument&>)
      return body(runtime, argument);
    else
      return body(argument);
  }

  void list() const {
    for (const entry& e : entries_)
      std::printf(R"({"problem":"%s","runtime":"%s","version":"%s","fewest_workers":%d})"
                  "\n",
                  e.what.name, Runtime::name(), Runtime::version().c_str(), e.what.fewest_workers);
  }

  const entry& find(std::string_view name) const {
    if (name.empty()) return entries_.front();
    for (const entry& e : entries_)
      if (e.what.name == name) return e;
    throw usage_error("no problem '" + std::string(name) + "' here; --list shows them");
  }

  void measure(const options& o, const entry& e) const {
    const int size = pick(e.what.size, o.size);
    if (o.workers < e.what.fewest_workers)
      throw usage_error(std::string(e.what.name) + " needs " +
                        std::to_string(e.what.fewest_workers) + " workers");
    Runtime runtime(o.workers);
    (void)e.sample(runtime, size < e.what.size.quick ? size : e.what.size.quick);  // warms up
    for (int i = 0; i < o.samples; ++i) {
      const double seconds = e.sample(runtime, size);
      std::printf(R"({"problem":"%s","runtime":"%s","workers":%d,"size":%d,"seconds":%.9f,)"
                  R"("operations":%.0f,"operation":"%s","peak_kb":%ld})"
                  "\n",
                  e.what.name, Runtime::name(), o.workers, size, seconds, e.what.operations(size),
                  e.what.operation, peak_kb());
    }
  }

  std::vector<entry> entries_;
};

/// The same runtime, but run(f) calls f outside of it: for problems that enter the runtime
/// themselves.
template <class Runtime>
class outside : public Runtime {
 public:
  using Runtime::Runtime;
  template <class F>
  auto run(F f) {
    return f();
  }
};

}  // namespace bench

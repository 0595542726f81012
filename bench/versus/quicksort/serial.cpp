#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<quicksort::input>(quicksort::by_join,
                                  [](quicksort::input& in) { quicksort::sort_serial(in.all()); })
      .run(argc, argv);
}

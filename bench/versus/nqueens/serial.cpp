#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed(nqueens::all, nqueens::answer,
             [](int n) { return nqueens::ways_serial(nqueens::board(n)); })
      .run(argc, argv);
}

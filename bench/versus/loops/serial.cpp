#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return loops::page_of<bench::on_serial>(
             [](bench::on_serial&, const loops::loop& l) { return l.work(l.all()); })
      .run(argc, argv);
}

#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return imbalance::page_of<bench::on_serial>([](bench::on_serial&, auto& in) {
           for (int i = 0; i < in.items; ++i) in.run(i);
         })
      .run(argc, argv);
}

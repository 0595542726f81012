#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<phases::input>(phases::problem,
                               [](phases::input& in) {
                                 for (int l = 0; l < in.loops; ++l)
                                   for (int i = 0; i < phases::items; ++i) in.run(l, i);
                               })
      .run(argc, argv);
}

#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  const auto run = [](bench::on_serial&, auto& in) {
    for (int l = 0; l < in.loops; ++l)
      for (int i = 0; i < phases::items; ++i) in.run(l, i);
  };
  return phases::page_of<bench::on_serial>(run).run(argc, argv);
}

#include "loops/dealt.hpp"

int main(int argc, char** argv) {
  return loops::page_of<bench::outside<bench::on_filch>>(loops::sum_dealt).run(argc, argv);
}

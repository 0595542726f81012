// make_report TRACE PAGE: what the tests of the page need of `filch report`.
#include <cstdio>
#include <exception>
#include <fstream>

#include "report/report.hpp"
#include "report/summary.hpp"
#include "report/trace_file.hpp"

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: make_report TRACE PAGE\n", stderr);
    return 2;
  }
  try {
    const filch::report::trace_data trace = filch::report::read_trace(words[1]);
    std::ofstream page(words[2], std::ios::binary);
    filch::report::write_report(page, trace, filch::report::summarise(trace));
    page.flush();
    if (page) return 0;
    std::fprintf(stderr, "make_report: %s cannot be written\n", words[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_report: %s\n", error.what());
  }
  return 1;
}

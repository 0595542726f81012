#include <cstddef>
#include <limits>

#include "loops/dealt.hpp"

namespace {

/// A filch in which no deque ever has enough jobs for a thief.
class on_filch_no_stealing : public bench::on_filch {
 public:
  static const char* name() { return "filch_no_stealing"; }
  explicit on_filch_no_stealing(int workers)
      : on_filch(workers, {.steal_threshold = std::numeric_limits<std::size_t>::max()}) {}
};

}  // namespace

int main(int argc, char** argv) {
  return loops::page_of<bench::outside<on_filch_no_stealing>>(loops::sum_dealt).run(argc, argv);
}

#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "filch/scope.hpp"
#include "problem.hpp"

namespace {

/// A filch whose thieves look for work for a millisecond.
class on_patient_filch : public bench::on_filch {
 public:
  explicit on_patient_filch(int workers) : on_filch(workers, {.idle = filch::idle::latency}) {}
};

struct ways {
  template <class Leaf, class Stolen>
  static void join(Leaf leaf, Stolen stolen) {
    filch::join(leaf, stolen);
  }
  template <class Stolen, class Leaf>
  static void spawn(Stolen stolen, Leaf leaf) {
    filch::scope s;
    s.spawn(stolen);
    leaf();
    s.wait();
  }
};

}  // namespace

int main(int argc, char** argv) {
  return latency::page_of<on_patient_filch, ways>().run(argc, argv);
}

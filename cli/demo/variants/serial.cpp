#include "demo/variant.hpp"

namespace filch::cli {
namespace {

class serial final : public variant {
 public:
  std::string_view name() const override { return "serial"; }
  void run(load& l) override {
    for (std::size_t i = 0; i < l.items(); ++i) l.run(i);
  }
};

}  // namespace

std::unique_ptr<variant> make_serial() { return std::make_unique<serial>(); }

}  // namespace filch::cli

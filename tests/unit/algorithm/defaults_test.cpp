// Where std::ranges takes a projection, `{}` stands for none, also in front of options. Alone it
// stands for no options. Only whether a call is accepted, and what it returns, is checked.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "filch/algorithm/all_of.hpp"
#include "filch/algorithm/copy_if.hpp"
#include "filch/algorithm/count.hpp"
#include "filch/algorithm/find.hpp"
#include "filch/algorithm/find_any.hpp"
#include "filch/algorithm/find_last.hpp"
#include "filch/algorithm/for_each.hpp"
#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/position.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/transform.hpp"
#include "filch/options.hpp"
#include "support/hang_guard.hpp"

namespace {

using numbers = std::vector<int>;

constexpr bool is_odd(int i) { return i % 2 != 0; }

/// Both forms of `call`, each with nothing after the argument `x`, with options, with a default in
/// their place, with a default and options, and with a projection and options.
#define FILCH_ACCEPTS(call, x)                                            \
  static_assert(requires(numbers v) {                                     \
    filch::call(v, x);                                                    \
    filch::call(v, x, {});                                                \
    filch::call(v, x, {.grain = 4});                                      \
    filch::call(v, x, {}, {});                                            \
    filch::call(v, x, {}, {.grain = 4});                                  \
    filch::call(v, x, std::negate<int>(), {.grain = 4});                  \
    filch::call(v.begin(), v.end(), x);                                   \
    filch::call(v.begin(), v.end(), x, {});                               \
    filch::call(v.begin(), v.end(), x, {.grain = 4});                     \
    filch::call(v.begin(), v.end(), x, {}, {});                           \
    filch::call(v.begin(), v.end(), x, {}, {.grain = 4});                 \
    filch::call(v.begin(), v.end(), x, std::negate<int>(), {.grain = 4}); \
  })

FILCH_ACCEPTS(find, 3);
FILCH_ACCEPTS(find_if, is_odd);
FILCH_ACCEPTS(find_if_not, is_odd);
FILCH_ACCEPTS(find_last, 3);
FILCH_ACCEPTS(find_last_if, is_odd);
FILCH_ACCEPTS(find_last_if_not, is_odd);
FILCH_ACCEPTS(find_any, 3);
FILCH_ACCEPTS(find_any_if, is_odd);
FILCH_ACCEPTS(position, is_odd);
FILCH_ACCEPTS(count, 3);
FILCH_ACCEPTS(count_if, is_odd);
FILCH_ACCEPTS(all_of, is_odd);
FILCH_ACCEPTS(any_of, is_odd);
FILCH_ACCEPTS(none_of, is_odd);
FILCH_ACCEPTS(for_each, is_odd);
FILCH_ACCEPTS(remove, 3);
FILCH_ACCEPTS(remove_if, is_odd);
FILCH_ACCEPTS(partition, is_odd);
FILCH_ACCEPTS(stable_partition, is_odd);
FILCH_ACCEPTS(pack, is_odd);
#undef FILCH_ACCEPTS

static_assert(requires(numbers v) {
  filch::for_each_n(v.begin(), 3, is_odd, {});
  filch::for_each_n(v.begin(), 3, is_odd, {.grain = 4});
  filch::for_each_n(v.begin(), 3, is_odd, {}, {.grain = 4});
});
static_assert(requires(numbers v) {
  filch::transform(v, v.begin(), is_odd, {});
  filch::transform(v, v.begin(), is_odd, {.grain = 4});
  filch::transform(v, v.begin(), is_odd, {}, {.grain = 4});
  filch::transform(v.begin(), v.end(), v.begin(), is_odd, {});
  filch::transform(v.begin(), v.end(), v.begin(), is_odd, {.grain = 4});
  filch::transform(v.begin(), v.end(), v.begin(), is_odd, {}, {.grain = 4});
});

TEST(defaults, of_a_projection_are_none) {
  numbers v{2, 4, 5, 6};
  EXPECT_EQ(filch::find(v, 5, {}, {.grain = 1}), v.begin() + 2);
  EXPECT_EQ(filch::count_if(v.begin(), v.end(), is_odd, {}, {.grain = 1}), 1);
  const auto ends = filch::transform(v, v.begin(), [](int i) { return i + 1; }, {}, {.grain = 1});
  EXPECT_EQ(ends.out, v.end());
  EXPECT_EQ(v, (numbers{3, 5, 6, 7}));
}

}  // namespace

// Random chains of plain numbers, compared with plain loops.
#include <gtest/gtest.h>

#include <cstdint>

#include "support/any_fork_policy.hpp"
#include "support/chain_numbers_run.hpp"

namespace {

class random_chains_numbers_on : public filch::test::numeric::chains_on {};
FILCH_TEST_ON_EVERY_FORK(random_chains_numbers_on);

TEST_P(random_chains_numbers_on, of_integers_give_what_plain_loops_do) {
  every_chain<std::uint32_t>();
}

TEST_P(random_chains_numbers_on, of_doubles_give_what_plain_loops_do) { every_chain<double>(); }

}  // namespace

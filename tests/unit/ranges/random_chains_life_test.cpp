// Random chains of elements that they own, make, or change in place.
#include <gtest/gtest.h>

#include "support/any_fork_policy.hpp"
#include "support/chain_run.hpp"

namespace {

class random_chains_life_on : public filch::test::chains_on {};
FILCH_TEST_ON_EVERY_FORK(random_chains_life_on);

TEST_P(random_chains_life_on, make_and_destroy_every_element_once_whatever_happens) {
  every_chain<filch::test::first_owner, filch::test::first_value>();
}

}  // namespace

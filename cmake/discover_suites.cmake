# Writes the file OUTPUT for ctest: one test for each suite of the GoogleTest program PROGRAM, with
# LABEL. Run by filch_discover_suites() after the program has been linked.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests --gtest_filter=-*.DISABLED_*
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY TIMEOUT 60)
# "suite.", or "suite/0.  # TypeParam = int"; the tests of a suite are indented.
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listed}")
set(text)
foreach(suite ${suites})
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" suite "${suite}")
  string(APPEND text "add_test([=[${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*-*.DISABLED_*]=])\n"
    "set_tests_properties([=[${suite}]=] PROPERTIES LABELS ${LABEL}\n"
    "  SKIP_REGULAR_EXPRESSION [=[\\[  SKIPPED \\]]=])\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")

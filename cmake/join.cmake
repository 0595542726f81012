# Writes a C++ file that is several others, so that what they share is compiled once.
#
# usage: cmake -D OUTPUT=x.cpp -D "FILES=one_test.cpp;two_test.cpp" -P join.cmake
#
# All their includes come first, and then each file in a namespace of its own, where its names meet no
# others. So a file must not define macros, include anything on conditions, or open namespace filch or std.
cmake_policy(VERSION 3.22)

set(includes)
set(code "")
set(number 0)
foreach(path IN LISTS FILES)
  file(STRINGS "${path}" own REGEX "^#include ")
  list(APPEND includes ${own})
  string(APPEND code "namespace joined_${number} {\nnamespace {\n#include \"${path}\"\n}\n}\n")
  math(EXPR number "${number} + 1")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE "${OUTPUT}" "// Made by cmake/join.cmake.\n${includes}\n${code}")

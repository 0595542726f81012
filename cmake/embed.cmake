# Writes a C++ file with the contents of other files as string constants.
#
# usage: cmake -D OUTPUT=x.cpp -D NAMESPACE=a::b -D "FILES=one.css;two.js" -P embed.cmake
#
# two.js becomes `extern const std::string_view two_js`. A raw string does, as none of the files has
# its end in it; but compilers promise only 64 KiB of one, so larger files have to be split.
cmake_policy(VERSION 3.22)

set(code "// Made by cmake/embed.cmake.\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(path IN LISTS FILES)
  file(READ "${path}" contents)
  file(SIZE "${path}" size)
  string(FIND "${contents}" ")embedded\"" end)
  if(size GREATER 65000 OR NOT end EQUAL -1)
    message(FATAL_ERROR "${path} cannot be embedded: ${size} bytes (at most 65000), or it contains "
      "the end of a raw string")
  endif()
  cmake_path(GET path FILENAME name)
  string(MAKE_C_IDENTIFIER "${name}" name)
  string(APPEND code "extern const std::string_view ${name};\n"
    "const std::string_view ${name} = R\"embedded(${contents})embedded\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${code}}  // namespace ${NAMESPACE}\n")

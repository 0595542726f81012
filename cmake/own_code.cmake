# How filch's own code is compiled. Linked as a build-only requirement, so none of it reaches users.

add_library(filch_own_code INTERFACE)
target_compile_options(filch_own_code INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion
  # Sources that are compiled as one see the names of each other's unnamed namespaces.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
  $<$<BOOL:${FILCH_WERROR}>:-Werror>)

# Builds that run tests look harder; builds that are measured or shipped do not pay for it.
if(FILCH_BUILD_TESTS)
  target_compile_definitions(filch_own_code INTERFACE _GLIBCXX_ASSERTIONS)
  # A sanitizer takes long enough to compile for without it.
  if(NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")
    target_compile_options(filch_own_code INTERFACE -fstack-protector-strong)
  endif()
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(filch_own_code INTERFACE LINKER:-z,noexecstack)
endif()

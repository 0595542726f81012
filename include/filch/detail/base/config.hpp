// What the build chose, and which compiler this is. No other header asks.
//
//   FILCH_CHECKS      0 or 1: does filch check for misuse? The build chooses, never NDEBUG. It has
//                     no effect on the size or layout of a type. 0 if the build chose nothing.
//   FILCH_TSAN        0 or 1: is this a ThreadSanitizer build?
//   FILCH_MSAN        0 or 1: is this a MemorySanitizer build?
//   FILCH_SHARED_CODE 0 or 1: is this code of a shared library? Such code uses the variables of
//   FILCH_ONE_FOR_ALL libfilch that all modules must agree on. Code of a program has definitions of
//                     its own (`inline`), which it reaches in one instruction, and which
//                     libfilch.so and plug-ins then use too. A plug-in that is closed must not have
//                     them, and two plug-ins must not have one each.
//   FILCH_MODEL       Defined when the model checker compiles the header. The seam headers then
//   FILCH_MODEL_SEAM  include this file of the checker in place of their own contents.
#pragma once

// All code of filch that a public header includes comes behind this, so that these errors come
// before all others.
#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "filch needs C++20: compile with -std=c++20 or newer"
#endif
#ifndef __cpp_exceptions
#error "filch needs exceptions: compile without -fno-exceptions"
#endif

#include <version>

#ifndef FILCH_CHECKS
#define FILCH_CHECKS 0
#elif FILCH_CHECKS != 0 && FILCH_CHECKS != 1
#error "FILCH_CHECKS must be 0 or 1"
#endif
// To the preprocessor every unknown word is 0. This catches -DFILCH_CHECKS=on.
static_assert(FILCH_CHECKS == 0 || FILCH_CHECKS == 1, "FILCH_CHECKS must be 0 or 1");

#if defined(__SANITIZE_THREAD__)
#define FILCH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FILCH_TSAN 1
#endif
#endif
#ifndef FILCH_TSAN
#define FILCH_TSAN 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define FILCH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FILCH_ASAN 1
#endif
#endif
#ifndef FILCH_ASAN
#define FILCH_ASAN 0
#endif

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define FILCH_MSAN 1
#endif
#endif
#ifndef FILCH_MSAN
#define FILCH_MSAN 0
#endif

#if defined(__PIC__) && !defined(__PIE__)
#define FILCH_SHARED_CODE 1
#define FILCH_ONE_FOR_ALL extern
#define FILCH_ALSO_IN_PROGRAMS [[gnu::weak]]  // a definition in libfilch
#else
#define FILCH_SHARED_CODE 0
#define FILCH_ONE_FOR_ALL inline
#endif

#if defined(FILCH_MODEL) && !defined(FILCH_MODEL_SEAM)
#error "FILCH_MODEL wants FILCH_MODEL_SEAM: the checker's header, in quotes or angle brackets"
#endif

// libstdc++ has two layouts of std::string, chosen by one setting. With the older layout, types
// that have a string inside carry a tag, so that a program and a library of different settings do
// not link.
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI == 0
#define FILCH_HOLDS_STRINGS [[gnu::abi_tag("with__GLIBCXX_USE_CXX11_ABI_0")]]
#else
#define FILCH_HOLDS_STRINGS
#endif

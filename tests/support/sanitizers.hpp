// Whether this is a build with AddressSanitizer. FILCH_TSAN says the same for ThreadSanitizer.
#pragma once

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

// Which sanitizer the test is compiled with: TEST_ASAN, TEST_TSAN are 0 or 1.
#ifndef TEST_SANITIZER_H
#define TEST_SANITIZER_H

#if defined __SANITIZE_ADDRESS__
#define TEST_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define TEST_ASAN 1
#endif
#endif
#ifndef TEST_ASAN
#define TEST_ASAN 0
#endif

#if defined __SANITIZE_THREAD__
#define TEST_TSAN 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define TEST_TSAN 1
#endif
#endif
#ifndef TEST_TSAN
#define TEST_TSAN 0
#endif

#endif

// Functions that glibc 2.28 lacks and objects compiled with newer headers call
// (scripts/setup/platforms.sh).
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

// The C++ library leaves atomic operations out while there is one thread: never, then.
char __libc_single_threaded = 0;

// The C++ library asks again when a wait ends before its time.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  const long second = 1000000000;
  struct timespec now, end;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += until->tv_sec - now.tv_sec;
  end.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (end.tv_nsec >= second) {
    ++end.tv_sec;
    end.tv_nsec -= second;
  } else if (end.tv_nsec < 0) {
    --end.tv_sec;
    end.tv_nsec += second;
  }
  return pthread_cond_timedwait(condition, mutex, &end);
}

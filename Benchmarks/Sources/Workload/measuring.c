#include "workload.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t elapsed;

uint64_t workload_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Never inlined: callgrind counts the instructions between its first and its last one.
__attribute__((noinline)) int64_t workload_measured(int64_t (*body)(void *), void *context) {
  uint64_t begin = workload_now();
  int64_t check = body(context);
  elapsed = workload_now() - begin;
  return check;
}

// Returns the peak memory of the process in bytes. On Linux, getrusage also covers the program that
// started this one.
static long long peak(void) {
#ifdef __APPLE__
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
#else
  long long kibibytes = 0;
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (sscanf(line, "VmHWM: %lld", &kibibytes) == 1) break;
  }
  if (status) fclose(status);
  return kibibytes * 1024;
#endif
}

void workload_tell(const char *workload, int64_t operations, int64_t check, double other_rate) {
  printf(
    "{\"workload\": \"%s\", \"operations\": %lld, \"nanoseconds\": %llu, \"peak\": %lld, "
    "\"check\": %lld, \"other\": %.1f}\n",
    workload, (long long)operations, (unsigned long long)elapsed, peak(), (long long)check,
    other_rate);
}

struct thread {
  pthread_t id;
  void (*body)(void *, int);
  void *context;
  int number;
};

static void *run(void *argument) {
  struct thread *thread = argument;
  thread->body(thread->context, thread->number);
  return NULL;
}

void workload_threads(int count, void (*body)(void *, int), void *context) {
  struct thread threads[count];
  for (int i = 0; i < count; i++) {
    threads[i] = (struct thread){.body = body, .context = context, .number = i};
    if (pthread_create(&threads[i].id, NULL, run, &threads[i])) workload_fail("thread", "none");
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i].id, NULL);
}

void workload_pause(void) { sched_yield(); }

int workload_cache(void) {
  const char *setting = getenv("BENCHMARK_CACHE_MIB");
  return setting ? atoi(setting) : 64;
}

double workload_seconds(void) {
  const char *setting = getenv("BENCHMARK_SECONDS");
  return setting ? atof(setting) : 2;
}

void workload_fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

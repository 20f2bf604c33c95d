#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What every peer shares, so that all do the same work on the same data: this file is the workload. */

/* One object: a name of about 20 characters, an address of 28, three numbers, 64 bytes, and a note
   that every third one has. Texts end in a NUL. */
struct workload_person {
  char name[32];
  char email[32];
  int64_t age;
  double score;
  double joined;
  uint8_t avatar[64];
  char note[40];
  bool has_note;
};

/* The person of a number, from 0; always the same. */
void workload_person(int64_t number, struct workload_person *person);

/* The name of a pet. */
void workload_pet(int64_t number, char name[32]);

/* The k-th of a series of numbers below `count`, spread evenly; always the same. */
int64_t workload_choice(int64_t k, int64_t count);

/* How much of everything a workload does: sizes are those of 100,000 rows, and in proportion. */
enum workload_size {
  workload_transactions,  /* W2: 2,000 transactions of one object */
  workload_fetches,       /* W4: 50,000 fetches by objectID */
  workload_lookups,       /* W5: 10,000 fetches by a value */
  workload_queries,       /* W6: 200 conditions */
  workload_updates,       /* W7: 50,000 updates */
  workload_owners,        /* W8: 5,000 owners, with four pets each */
  workload_counts,        /* W10: 50 counts */
  workload_aggregates,    /* W10: 20 aggregates */
  workload_texts,         /* W16: 10,000 conditions in text */
};
int64_t workload_size(enum workload_size size, int64_t rows);

/* How often W9 opens the file, under a raw key and under a passphrase; once more before that is
   measured, so that what a process does once is left out. */
enum { workload_openings = 200, workload_openings_under_words = 10 };

/* The secrets every peer uses: 32 bytes, and words. */
extern const uint8_t workload_key[32];
extern const uint8_t workload_other_key[32];
extern const char workload_words[];

/* The words, for Swift, to which an array of C without a length is none. */
static inline const char *workload_passphrase(void) { return workload_words; }

/* Measures `body`, which returns a number that every peer must come to. The time is what passes
   inside, and so are the instructions that callgrind counts: it is told the function's name. */
int64_t workload_measured(int64_t (*body)(void *), void *context);

/* Tells what was measured last, as one line of JSON; the other rate is that of writers beside. */
void workload_tell(const char *workload, int64_t operations, int64_t check, double other_rate);

/* Runs `body` on threads of their own until all have returned. */
void workload_threads(int count, void (*body)(void *, int), void *context);

/* Lets other threads run. */
void workload_pause(void);

/* Nanoseconds of a clock that only goes forward. */
uint64_t workload_now(void);

/* Memory for decrypted pages in MiB (BENCHMARK_CACHE_MIB, 64 by default), and how many seconds W11
   lasts (BENCHMARK_SECONDS, 2 by default). */
int workload_cache(void);
double workload_seconds(void);

/* Ends the process with a message. */
_Noreturn void workload_fail(const char *what, const char *why);

#endif

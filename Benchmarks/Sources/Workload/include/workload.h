#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The workload: all peers share it, so that they do the same work on the same data. */

/* One object: a name of about 20 characters, an address of 28, three numbers, 64 bytes and, for
   every third object, a note. Texts end in a NUL. */
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

/* Fills in the person with a number, counted from 0. The result is always the same. */
void workload_person(int64_t number, struct workload_person *person);

/* Returns persons with consecutive numbers, which the caller frees. */
struct workload_person *workload_people(int64_t first, int64_t count);

/* The object that C makes from a row. */
struct workload_object {
  int64_t id;
  char *name;
  char *email;
  int64_t age;
  double score;
  double joined;
  uint8_t *avatar;
  int avatar_length;
  char *note;
};

/* Frees the texts and bytes of an object. */
void workload_free_object(struct workload_object *object);

/* Fills in the name of the pet with a number. */
void workload_pet(int64_t number, char name[32]);

/* Returns the k-th of a series of evenly spread numbers below `count`; always the same. */
int64_t workload_choice(int64_t k, int64_t count);

/* The sizes of the workloads for 100,000 rows; other sizes are in proportion. */
enum workload_size {
  workload_transactions,  /* W2: 2,000 transactions of one object */
  workload_fetches,       /* W4: 50,000 fetches by object ID */
  workload_lookups,       /* W5: 10,000 fetches by a value */
  workload_queries,       /* W6: 200 conditions */
  workload_updates,       /* W7: 50,000 updates */
  workload_owners,        /* W8: 5,000 owners, with four pets each */
  workload_counts,        /* W10: 50 counts */
  workload_aggregates,    /* W10: 20 aggregates */
  workload_texts,         /* W16: 10,000 conditions as text */
};
int64_t workload_size(enum workload_size size, int64_t rows);

/* The number of times that W9 opens the file with a raw key and with a passphrase. It opens the
   file once before the measurement, so that one-time work of the process is left out. */
enum { workload_openings = 200, workload_openings_under_words = 10 };

/* The secrets of all peers: two raw keys and a passphrase. */
extern const uint8_t workload_key[32];
extern const uint8_t workload_other_key[32];
extern const char workload_words[];

/* Returns the passphrase. Swift does not import a C array without a length. */
static inline const char *workload_passphrase(void) { return workload_words; }

/* Measures `body`, which returns a check value that must be the same for all peers. The time and the
   instructions that callgrind counts are those inside this function; callgrind knows its name. */
int64_t workload_measured(int64_t (*body)(void *), void *context);

/* Prints the last measurement as one line of JSON. The other rate is that of the writers in W11. */
void workload_tell(const char *workload, int64_t operations, int64_t check, double other_rate);

/* Runs `body` on the given number of threads and waits until all have returned. */
void workload_threads(int count, void (*body)(void *, int), void *context);

/* Lets other threads run. */
void workload_pause(void);

/* Returns the nanoseconds of a monotonic clock. */
uint64_t workload_now(void);

/* The page cache in MiB (BENCHMARK_CACHE_MIB, 64 by default) and the duration of W11 in seconds
   (BENCHMARK_SECONDS, 2 by default). */
int workload_cache(void);
double workload_seconds(void);

/* Ends the process with a message. */
_Noreturn void workload_fail(const char *what, const char *why);

#endif

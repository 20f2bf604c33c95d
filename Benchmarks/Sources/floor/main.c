// The floor: what the work costs in C, with one kept statement for each operation.
//
//   floor plain|better|alike WORKLOAD ROWS PATH
#include "alike.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  const char *workload;
  void (*run)(const struct run *);
};

static const struct entry runs[] = {
  {"prepare", run_prepare},
  {"prepare-words", run_prepare},
  {"w1", run_insert},
  {"w2", run_small_transactions},
  {"w3", run_fetch_all},
  {"w4", run_fetch_by_id},
  {"w4x", run_fetch_by_id},
  {"w4i", run_fetch_by_id},
  {"w5", run_lookup},
  {"w6", run_condition},
  {"w7", run_update},
  {"w7p", run_update},
  {"w8s", run_pets},
  {"w8", run_remove},
  {"w9", run_open},
  {"w9p", run_open},
  {"w10c", run_count},
  {"w10a", run_count},
  {"w11", run_threads},
  {"w12", run_insert_streamed},
  {"w13", run_open_pool},
  {"w14", run_copy},
  {"w15", run_owned},
  {"w16", run_text},
  {"w16c", run_text},
  {"verify", run_verify},
};

// The same work by the calls of the library.
static const struct entry runs_alike[] = {
  {"w3", run_fetch_all_alike},
  {"w4", run_fetch_by_id_alike},
  {"w4x", run_fetch_by_id_alike},
  {"w4i", run_fetch_kept_alike},
  {"w5", run_lookup_alike},
  {"w7p", run_update_alike},
  {"w9", run_open_alike},
  {"w9p", run_open_alike},
  {"w10a", run_mean_alike},
  {"w11", run_threads_alike},
};

// What a file says of itself, so that the files of all peers can be held against one another.
void run_verify(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  printf(
    "{\"people\": %lld, \"ages\": %lld, \"letters\": %lld, \"pages\": %lld, \"pageSize\": %lld}\n",
    (long long)number(database, "SELECT count(*) FROM Person"),
    (long long)number(database, "SELECT sum(age) FROM Person"),
    (long long)number(database, "SELECT sum(length(name) + length(email)) FROM Person"),
    (long long)number(database, "PRAGMA page_count"),
    (long long)number(database, "PRAGMA page_size"));
  close_database(database);
}

int main(int count, char **arguments) {
  if (count != 5) workload_fail("usage", "floor plain|better|alike WORKLOAD ROWS PATH");
  struct run run = {
    .workload = arguments[2], .path = arguments[4], .rows = atoll(arguments[3]),
    .is_better = strcmp(arguments[1], "better") == 0};
  bool is_alike = strcmp(arguments[1], "alike") == 0;
  size_t known = is_alike ? sizeof runs_alike / sizeof *runs_alike : sizeof runs / sizeof *runs;
  // Alike: the engine keeps no account of its memory, under a lock that all threads share.
  if (is_alike) sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  const struct entry *entries = is_alike ? runs_alike : runs;
  for (size_t i = 0; i < known; i++) {
    if (strcmp(entries[i].workload, run.workload) == 0) {
      entries[i].run(&run);
      return 0;
    }
  }
  workload_fail("no such workload", run.workload);
}

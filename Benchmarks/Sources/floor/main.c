// The floor: the cost of the work in C, with one cached statement for each operation.
//
//   floor plain|better WORKLOAD ROWS PATH
#include "floor.h"

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
  {"l1", run_large},
  {"l2", run_large},
  {"l3", run_large},
  {"l4", run_large},
  {"l5", run_large},
  {"l6", run_large},
  {"l7", run_large},
  {"l8", run_large},
  {"l9", run_large},
  {"verify", run_verify},
};

// Prints totals of the file, so that the driver can compare the files of all peers.
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
  if (count != 5) workload_fail("usage", "floor plain|better WORKLOAD ROWS PATH");
  bool is_better = strcmp(arguments[1], "better") == 0;
  if (!is_better && strcmp(arguments[1], "plain") != 0) {
    workload_fail("no such variant", arguments[1]);
  }
  struct run run = {
    .workload = arguments[2], .path = arguments[4], .rows = atoll(arguments[3]),
    .is_better = is_better};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    if (strcmp(runs[i].workload, run.workload) == 0) {
      runs[i].run(&run);
      return 0;
    }
  }
  workload_fail("no such workload", run.workload);
}

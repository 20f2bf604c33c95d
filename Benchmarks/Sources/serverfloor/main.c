// The floor of the work on a server: C on the client library, with prepared statements, COPY and
// pipelines, on tables that the library created.
//
//   serverfloor plain WORKLOAD ROWS ADDRESS
#include "serverfloor.h"

#include <stdlib.h>
#include <string.h>

struct entry {
  const char *workload;
  void (*run)(const struct run *);
};

static const struct entry runs[] = {
  {"prepare", run_prepare},
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
  {"w11", run_threads},
  {"w15", run_owned},
};

int main(int count, char **arguments) {
  if (count != 5) workload_fail("usage", "serverfloor plain WORKLOAD ROWS ADDRESS");
  struct run run = {
    .workload = arguments[2], .address = arguments[4], .rows = atoll(arguments[3])};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    if (strcmp(runs[i].workload, run.workload) == 0) {
      runs[i].run(&run);
      return 0;
    }
  }
  workload_fail("no such workload", run.workload);
}

#include "alike.h"

#include <stdlib.h>
#include <string.h>

// Alike: what a read scope has read is kept by its objectID and handed out as a copy. The copy shares
// texts and bytes with what is kept, so that whoever has them is counted; C can do no less, unless it
// copies the bytes themselves.

// Alike: keys and objects of a table stand apart, at places that hashes of the keys give.
struct kept_people {
  size_t capacity;
  uint64_t *is_taken;
  int64_t *ids;
  struct kept_object *people;
};

struct job {
  struct vault vault;
  int64_t rows;
  int64_t count;
  struct kept_people kept;
};

static size_t place(const struct kept_people *kept, int64_t id) {
  uint64_t mixed = (uint64_t)id * 0x9E3779B97F4A7C15;
  size_t index = (size_t)(mixed >> 32) & (kept->capacity - 1);
  while (kept->is_taken[index / 64] >> (index % 64) & 1 && kept->ids[index] != id) {
    index = (index + 1) & (kept->capacity - 1);
  }
  return index;
}

static void keep(struct kept_people *kept, sqlite3_stmt *statement) {
  struct kept_object person;
  take_row(statement, &person);
  size_t index = place(kept, person.id);
  kept->is_taken[index / 64] |= (uint64_t)1 << (index % 64);
  kept->ids[index] = person.id;
  kept->people[index] = person;
}

static void *counted(const union kept_text *text) {
  return text->outside.kind == is_outside ? text->outside.start : NULL;
}

// The counts stand where the texts and bytes begin.
static void count(const struct kept_object *person, int64_t change) {
  void *shared[] = {
    counted(&person->name), counted(&person->email), person->avatar,
    person->has_note ? counted(&person->note) : NULL};
  for (int i = 0; i < 4; i++) {
    if (!shared[i]) continue;
    atomic_fetch_add_explicit((_Atomic int64_t *)shared[i], change, memory_order_acq_rel);
  }
}

static bool find(const struct kept_people *kept, int64_t id, struct kept_object *copy) {
  size_t index = place(kept, id);
  if (!(kept->is_taken[index / 64] >> (index % 64) & 1)) return false;
  *copy = kept->people[index];
  count(copy, 1);
  return true;
}

static int64_t fetch_kept(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    struct reader *reader = take_reader(&job->vault);
    struct kept_object copy;
    if (find(&job->kept, workload_choice(k, job->rows) + 1, &copy)) {
      sum += copy.age;
      count(&copy, -1);
    }
    give_reader(&job->vault, reader);
  }
  return sum;
}

void run_fetch_kept_alike(const struct run *run) {
  struct job job = {.rows = run->rows};
  job.count = workload_size(workload_fetches, run->rows);
  open_vault(&job.vault, run->path, NULL);
  struct kept_people *kept = &job.kept;
  kept->capacity = 64;
  while (kept->capacity * 3 / 4 < (size_t)run->rows) kept->capacity *= 2;
  kept->is_taken = calloc(kept->capacity / 64, sizeof *kept->is_taken);
  kept->ids = malloc(kept->capacity * sizeof *kept->ids);
  kept->people = malloc(kept->capacity * sizeof *kept->people);
  begin_scope(&job.vault);
  struct reader *reader = take_reader(&job.vault);
  sqlite3_stmt *statement = prepare(reader->database, select_all);
  while (sqlite3_step(statement) == SQLITE_ROW) keep(kept, statement);
  sqlite3_finalize(statement);
  give_reader(&job.vault, reader);
  int64_t check = workload_measured(fetch_kept, &job);
  workload_tell(run->workload, job.count, check, 0);
  end_scope(&job.vault);
  close_vault(&job.vault);
}

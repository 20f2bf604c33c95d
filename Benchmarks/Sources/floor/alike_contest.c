#include "alike.h"

enum { writer = 4, different = 100 };

struct contest {
  struct vault vault;
  struct kept_statement kept;
  struct workload_person *people;
  int64_t rows;
  uint64_t end;
  atomic_llong reads;
  atomic_llong writes;
};

// Alike: each read takes a connection of the pool and gives it back; it is a transaction of its
// own.
static void read_one(struct contest *contest, int64_t id) {
  struct reader *reader = take_reader(&contest->vault);
  sqlite3_bind_int64(reader->find, 8, id);
  if (sqlite3_step(reader->find) != SQLITE_ROW) {
    workload_fail("read", sqlite3_errmsg(reader->database));
  }
  struct kept_object object;
  take_row(reader->find, &object);
  sqlite3_reset(reader->find);
  give_reader(&contest->vault, reader);
  let_go(&object);
}

// Alike: one statement outside a transaction, which the engine commits.
static void write_one(struct contest *contest, int64_t number) {
  update_one(
    &contest->vault, &contest->kept, &contest->people[number % different],
    workload_choice(number, contest->rows) + 1);
}

static void take_part(void *context, int thread) {
  struct contest *contest = context;
  int64_t done = 0;
  for (; workload_now() < contest->end; done++) {
    if (thread == writer) {
      write_one(contest, done);
    } else {
      read_one(contest, workload_choice(done * writer + thread, contest->rows) + 1);
    }
  }
  if (thread == writer) {
    contest->writes += done;
  } else {
    contest->reads += done;
  }
}

static int64_t contend(void *context) {
  workload_threads(writer + 1, take_part, context);
  return 0;
}

void run_threads_alike(const struct run *run) {
  double length = workload_seconds();
  struct contest contest = {.people = make_people(0, different), .rows = run->rows};
  open_vault(&contest.vault, run->path, NULL);
  keep_update(&contest.kept, contest.vault.writer);
  contest.end = workload_now() + (uint64_t)(length * 1e9);
  int64_t check = workload_measured(contend, &contest);
  workload_tell(run->workload, contest.reads, check, (double)contest.writes / length);
  close_vault(&contest.vault);
}

// The workloads of files that are much larger than the page cache.
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  const struct run *run;
  sqlite3 *database;
  sqlite3_stmt *statement;
  int64_t count;
};

enum { batch = 10000 };

static sqlite3_stmt *select_rows(sqlite3 *database, const char *rest) {
  char sql[512];
  snprintf(sql, sizeof sql, "SELECT %s FROM Person %s", columns, rest);
  return prepare(database, sql);
}

// Returns the sum of the ages of the rows that remain, reading each row as an object.
static int64_t ages(sqlite3_stmt *statement) {
  int64_t sum = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    struct workload_object object;
    read_object(statement, &object);
    sum += object.age;
    workload_free_object(&object);
  }
  sqlite3_reset(statement);
  return sum;
}

static int64_t insert(void *context) {
  struct job *job = context;
  sqlite3_stmt *single = prepare(
    job->database,
    "INSERT INTO Person (name, email, age, score, joined, avatar, note) VALUES (?, ?, ?, ?, ?, ?, ?)");
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    if (i % batch == 0) execute(job->database, i ? "COMMIT; BEGIN IMMEDIATE" : "BEGIN IMMEDIATE");
    struct workload_person person;
    workload_person(i, &person);
    bind_person(single, 1, &person);
    run_once(job->database, single);
    sum += sqlite3_last_insert_rowid(job->database);
  }
  execute(job->database, "COMMIT");
  return sum;
}

static int64_t stream(void *context) { return ages(((struct job *)context)->statement); }

static int64_t fetch(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_int64(job->statement, 1, workload_choice(k, job->run->rows) + 1);
    sum += ages(job->statement);
  }
  return sum;
}

static int64_t look_up(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    struct workload_person person;
    workload_person(workload_choice(k, job->run->rows), &person);
    sqlite3_bind_text(job->statement, 1, person.email, 28, SQLITE_STATIC);
    sum += ages(job->statement);
  }
  return sum;
}

static int64_t ask(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_int64(job->statement, 1, 40 + 20 * k);
    sqlite3_bind_double(job->statement, 2, 500);
    sum += ages(job->statement);
  }
  return sum;
}

static int64_t open_each(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    sqlite3 *database = open_raw(job->run->path, workload_key);
    sqlite3_stmt *first = select_rows(database, "WHERE objectID = 1");
    sum += ages(first);
    close_database(database);
  }
  return sum;
}

// Checks the authentication code of every page, if the engine can, and the structure.
static int64_t verify(void *context) {
  struct job *job = context;
  int64_t errors = 0;
  if (sqlite3_libversion_number() >= 3030000) {
    sqlite3_stmt *pages = prepare(job->database, "PRAGMA cipher_integrity_check");
    while (sqlite3_step(pages) == SQLITE_ROW) errors++;
  }
  sqlite3_stmt *structure = prepare(job->database, "PRAGMA integrity_check");
  while (sqlite3_step(structure) == SQLITE_ROW) {
    errors += strcmp((const char *)sqlite3_column_text(structure, 0), "ok") != 0;
  }
  return errors == 0;
}

static int64_t copy(void *context) {
  struct job *job = context;
  char path[4096];
  snprintf(path, sizeof path, "%s.copy", job->run->path);
  bool is_rekey = strcmp(job->run->workload, "l9") == 0;
  sqlite3 *target = open_raw(path, is_rekey ? workload_other_key : workload_key);
  sqlite3_backup *backup = sqlite3_backup_init(target, "main", job->database, "main");
  check_code(target, sqlite3_backup_step(backup, -1), SQLITE_DONE);
  sqlite3_backup_finish(backup);
  close_database(target);
  return 1;
}

struct large {
  const char *workload;
  int64_t (*body)(void *);
  // The end of the query, if there is one.
  const char *rest;
  // The number of operations; 0 for one for each row.
  int64_t count;
};

static const struct large larges[] = {
  {"l1", insert, NULL, 0},
  {"l2", stream, "ORDER BY objectID", 0},
  {"l3", fetch, "WHERE objectID = ?", 50000},
  {"l4", look_up, "WHERE email = ?", 10000},
  {"l5", ask, "WHERE age >= ? AND score < ? ORDER BY name, objectID LIMIT 100", 3},
  {"l6", open_each, NULL, workload_openings},
  {"l7", verify, NULL, 0},
  {"l8", copy, NULL, 0},
  {"l9", copy, NULL, 0},
};

void run_large(const struct run *run) {
  for (size_t i = 0; i < sizeof larges / sizeof *larges; i++) {
    const struct large *large = &larges[i];
    if (strcmp(large->workload, run->workload) != 0) continue;
    struct job job = {.run = run, .count = large->count ? large->count : run->rows};
    job.database = open_raw(run->path, workload_key);
    if (large->body == insert) make_tables(job.database);
    if (large->rest) {
      job.statement = select_rows(job.database, large->rest);
      execute(job.database, "BEGIN");
    }
    int64_t check = workload_measured(large->body, &job);
    workload_tell(run->workload, job.count, check, 0);
    if (large->rest) execute(job.database, "COMMIT");
    close_database(job.database);
  }
}

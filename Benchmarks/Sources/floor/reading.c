#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  sqlite3 *database;
  sqlite3_stmt *statement;
  int64_t rows;
  int64_t count;
  struct workload_person *wanted;
};

static char sql[512];

static sqlite3_stmt *prepare_select(sqlite3 *database, const char *rest) {
  snprintf(sql, sizeof sql, "SELECT %s FROM Person %s", columns, rest);
  return prepare(database, sql);
}

// Reads every row into a growing array, and frees it.
static int64_t all(sqlite3_stmt *statement) {
  size_t count = 0, capacity = 0;
  struct workload_object *objects = NULL;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 4;
      objects = realloc(objects, capacity * sizeof *objects);
    }
    read_object(statement, &objects[count++]);
  }
  sqlite3_reset(statement);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += objects[i].age;
    workload_free_object(&objects[i]);
  }
  free(objects);
  return sum;
}

static int64_t first(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_ROW) return 0;
  struct workload_object object;
  read_object(statement, &object);
  sqlite3_reset(statement);
  int64_t age = object.age;
  workload_free_object(&object);
  return age;
}

static int64_t fetch_all(void *context) { return all(((struct job *)context)->statement); }

static int64_t fetch_by_id(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_int64(job->statement, 1, workload_choice(k, job->rows) + 1);
    sum += first(job->statement);
  }
  return sum;
}

static int64_t look_up(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_text(job->statement, 1, job->wanted[k].email, 28, SQLITE_STATIC);
    sum += first(job->statement);
  }
  return sum;
}

static int64_t ask(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_int64(job->statement, 1, workload_choice(2 * k, 100));
    sqlite3_bind_double(job->statement, 2, (double)workload_choice(2 * k + 1, 1000));
    sum += all(job->statement);
  }
  return sum;
}

static int64_t count(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_step(job->statement);
    sum += sqlite3_column_int64(job->statement, 0);
    sqlite3_reset(job->statement);
  }
  return sum;
}

static int64_t aggregate(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_int64(job->statement, 1, workload_choice(k, 100));
    sqlite3_step(job->statement);
    sum += (int64_t)sqlite3_column_double(job->statement, 0);
    sqlite3_reset(job->statement);
  }
  return sum;
}

static void measure(const struct run *run, int64_t (*body)(void *), struct job *job) {
  int64_t check = workload_measured(body, job);
  workload_tell(run->workload, job->count, check, 0);
  sqlite3 *database = job->database;
  if (!sqlite3_get_autocommit(database)) execute(database, "COMMIT");
  close_database(database);
}

static struct job open_job(const struct run *run, int64_t count) {
  return (struct job){
    .database = open_raw(run->path, workload_key), .rows = run->rows, .count = count};
}

// Reads the file once before the measurement, so that all pages are cached.
void run_fetch_all(const struct run *run) {
  struct job job = open_job(run, run->rows);
  warm(job.database);
  job.statement = prepare_select(job.database, "ORDER BY objectID");
  measure(run, fetch_all, &job);
}

void run_fetch_by_id(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_fetches, run->rows));
  warm(job.database);
  job.statement = prepare_select(job.database, "WHERE objectID = ?");
  // W4 and W4i use one read transaction, W4x uses one for each fetch.
  if (strcmp(run->workload, "w4x") != 0) execute(job.database, "BEGIN");
  measure(run, fetch_by_id, &job);
}

void run_lookup(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_lookups, run->rows));
  warm(job.database);
  job.wanted = malloc((size_t)job.count * sizeof *job.wanted);
  for (int64_t k = 0; k < job.count; k++) {
    workload_person(workload_choice(k, run->rows), &job.wanted[k]);
  }
  job.statement = prepare_select(job.database, "WHERE email = ?");
  execute(job.database, "BEGIN");
  measure(run, look_up, &job);
}

void run_condition(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_queries, run->rows));
  if (run->is_better) {
    execute(job.database, "CREATE INDEX Person_age_score ON Person (age, score)");
  }
  warm(job.database);
  job.statement = prepare_select(
    job.database, "WHERE age >= ? AND score < ? ORDER BY name, objectID LIMIT 100");
  execute(job.database, "BEGIN");
  measure(run, ask, &job);
}

void run_count(const struct run *run) {
  bool is_aggregate = strcmp(run->workload, "w10a") == 0;
  struct job job =
    open_job(run, workload_size(is_aggregate ? workload_aggregates : workload_counts, run->rows));
  warm(job.database);
  job.statement = prepare(
    job.database, is_aggregate ? "SELECT avg(score) FROM Person WHERE age >= ?"
                               : "SELECT count(*) FROM Person");
  measure(run, is_aggregate ? aggregate : count, &job);
}

static int64_t text_cold(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    snprintf(
      sql, sizeof sql,
      "SELECT %s FROM Person WHERE email = '%s' AND age >= 0 AND score < %d", columns,
      job->wanted[k].email, 2000 + (int)k);
    sqlite3_stmt *statement = prepare(job->database, sql);
    sum += first(statement);
    sqlite3_finalize(statement);
  }
  return sum;
}

static int64_t text_cached(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    sqlite3_bind_text(job->statement, 1, job->wanted[k].email, 28, SQLITE_STATIC);
    sqlite3_bind_int64(job->statement, 2, 0);
    sqlite3_bind_double(job->statement, 3, 2000);
    sum += first(job->statement);
  }
  return sum;
}

void run_text(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_texts, run->rows));
  warm(job.database);
  job.wanted = malloc((size_t)job.count * sizeof *job.wanted);
  for (int64_t k = 0; k < job.count; k++) {
    workload_person(workload_choice(k, run->rows), &job.wanted[k]);
  }
  job.statement =
    prepare_select(job.database, "WHERE email = ? AND age >= ? AND score < ? ORDER BY objectID");
  execute(job.database, "BEGIN");
  measure(run, strcmp(run->workload, "w16") == 0 ? text_cold : text_cached, &job);
}

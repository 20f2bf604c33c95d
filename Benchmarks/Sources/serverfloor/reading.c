#include "serverfloor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  PGconn *server;
  int64_t rows;
  int64_t count;
  struct workload_person *wanted;
};

static void prepare_select(PGconn *server, const char *rest, int count, const Oid *types) {
  char sql[512];
  snprintf(sql, sizeof sql, "SELECT %s FROM \"Person\" %s", columns, rest);
  prepare(server, "select", sql, count, types);
}

// Makes an object of every row, and frees them.
static int64_t all(PGconn *server, int count, const struct values *values) {
  PGresult *result = run_prepared(server, "select", count, values);
  expect(server, result, PGRES_TUPLES_OK);
  int rows = PQntuples(result);
  struct workload_object *objects = malloc((size_t)(rows ? rows : 1) * sizeof *objects);
  for (int i = 0; i < rows; i++) read_object(result, i, &objects[i]);
  PQclear(result);
  int64_t sum = 0;
  for (int i = 0; i < rows; i++) {
    sum += objects[i].age;
    workload_free_object(&objects[i]);
  }
  free(objects);
  return sum;
}

static int64_t fetch_all(void *context) {
  struct values values;
  return all(((struct job *)context)->server, 0, &values);
}

static int64_t fetch_by_id(void *context) {
  struct job *job = context;
  struct values values;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    set_integer(&values, 0, workload_choice(k, job->rows) + 1);
    sum += all(job->server, 1, &values);
  }
  return sum;
}

static int64_t look_up(void *context) {
  struct job *job = context;
  struct values values;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    set_text(&values, 0, job->wanted[k].email, 28);
    sum += all(job->server, 1, &values);
  }
  return sum;
}

static int64_t ask(void *context) {
  struct job *job = context;
  struct values values;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    set_integer(&values, 0, workload_choice(2 * k, 100));
    set_real(&values, 1, (double)workload_choice(2 * k + 1, 1000));
    sum += all(job->server, 2, &values);
  }
  return sum;
}

static void measure(const struct run *run, int64_t (*body)(void *), struct job *job) {
  int64_t check = workload_measured(body, job);
  workload_tell(run->workload, job->count, check, 0);
  PQfinish(job->server);
}

static struct job open_job(const struct run *run, int64_t count) {
  struct job job = {.server = connect_to(run->address), .rows = run->rows, .count = count};
  warm(job.server);
  return job;
}

static void begin_reading(PGconn *server) {
  execute(server, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
}

void run_fetch_all(const struct run *run) {
  struct job job = open_job(run, run->rows);
  prepare_select(job.server, "ORDER BY \"objectID\"", 0, NULL);
  measure(run, fetch_all, &job);
}

void run_fetch_by_id(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_fetches, run->rows));
  prepare_select(job.server, "WHERE \"objectID\" = $1", 1, (Oid[]){20});
  // W4 and W4i use one read transaction, W4x uses one for each fetch.
  if (strcmp(run->workload, "w4x") != 0) begin_reading(job.server);
  measure(run, fetch_by_id, &job);
}

void run_lookup(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_lookups, run->rows));
  job.wanted = malloc((size_t)job.count * sizeof *job.wanted);
  for (int64_t k = 0; k < job.count; k++) {
    workload_person(workload_choice(k, run->rows), &job.wanted[k]);
  }
  prepare_select(job.server, "WHERE email = $1", 1, (Oid[]){25});
  begin_reading(job.server);
  measure(run, look_up, &job);
}

void run_condition(const struct run *run) {
  struct job job = open_job(run, workload_size(workload_queries, run->rows));
  prepare_select(
    job.server, "WHERE age >= $1 AND score < $2 ORDER BY name, \"objectID\" LIMIT 100", 2,
    (Oid[]){20, 701});
  begin_reading(job.server);
  measure(run, ask, &job);
}

struct contest {
  const struct run *run;
  struct workload_person *people;
  int64_t reads;
  int64_t writes;
  uint64_t end;
  PGconn *servers[5];
};

enum { writer = 4 };

static void compete(void *context, int thread) {
  struct contest *contest = context;
  PGconn *server = contest->servers[thread];
  int64_t done = 0, rows = contest->run->rows;
  struct values values;
  while (workload_now() < contest->end) {
    if (thread == writer) {
      const struct workload_person *person = &contest->people[done % 100];
      set_integer(&values, 0, person->age);
      set_real(&values, 1, person->score);
      set_integer(&values, 2, workload_choice(done, rows) + 1);
      PGresult *result = run_prepared(server, "update", 3, &values);
      expect(server, result, PGRES_COMMAND_OK);
      PQclear(result);
    } else {
      set_integer(&values, 0, workload_choice(done * writer + thread, rows) + 1);
      all(server, 1, &values);
    }
    done++;
  }
  __atomic_add_fetch(thread == writer ? &contest->writes : &contest->reads, done, __ATOMIC_RELAXED);
}

static int64_t contend(void *context) {
  struct contest *contest = context;
  contest->end = workload_now() + (uint64_t)(workload_seconds() * 1e9);
  workload_threads(writer + 1, compete, contest);
  return 0;
}

void run_threads(const struct run *run) {
  struct contest contest = {.run = run, .people = workload_people(0, 100)};
  for (int i = 0; i <= writer; i++) {
    PGconn *server = contest.servers[i] = connect_to(run->address);
    prepare_select(server, "WHERE \"objectID\" = $1", 1, (Oid[]){20});
    execute(server, "SET default_transaction_isolation TO 'serializable'");
    prepare(
      server, "update", "UPDATE \"Person\" SET age = $1, score = $2 WHERE \"objectID\" = $3", 3,
      (Oid[]){20, 701, 20});
    if (i != writer) execute(server, "SET default_transaction_isolation TO 'read committed'");
  }
  warm(contest.servers[0]);
  int64_t check = workload_measured(contend, &contest);
  workload_tell(
    run->workload, contest.reads, check, (double)contest.writes / workload_seconds());
}

#include "serverfloor.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

struct job {
  PGconn *server;
  struct workload_person *people;
  char (*names)[32];
  int64_t count;
  bool is_partial;
};

static const char begin[] = "BEGIN ISOLATION LEVEL SERIALIZABLE";
static const char copy_people[] =
  "COPY \"Person\" (name, email, age, score, joined, avatar, note) FROM STDIN (FORMAT binary)";

static int64_t insert_all(void *context) {
  struct job *job = context;
  struct buffer buffer = {0};
  execute(job->server, begin);
  begin_copy(job->server, &buffer, copy_people);
  for (int64_t i = 0; i < job->count; i++) {
    add_person(&buffer, &job->people[i]);
    send_copy(job->server, &buffer);
  }
  end_copy(job->server, &buffer);
  execute(job->server, "COMMIT");
  free(buffer.bytes);
  return 0;
}

void run_prepare(const struct run *run) {
  struct job job = {
    .server = connect_to(run->address),
    .people = workload_people(0, run->rows), .count = run->rows};
  insert_all(&job);
}

void run_insert(const struct run *run) {
  struct job job = {
    .server = connect_to(run->address),
    .people = workload_people(0, run->rows), .count = run->rows};
  workload_measured(insert_all, &job);
  int64_t check = number(job.server, "SELECT sum(\"objectID\") FROM \"Person\"");
  workload_tell(run->workload, run->rows, check, 0);
}

static int64_t insert_each(void *context) {
  struct job *job = context;
  struct values values;
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    set_person(&values, &job->people[i]);
    PGresult *result = run_prepared(job->server, "insert", 7, &values);
    expect(job->server, result, PGRES_TUPLES_OK);
    sum += integer_at(result, 0, 0);
    PQclear(result);
  }
  return sum;
}

void run_small_transactions(const struct run *run) {
  int64_t count = workload_size(workload_transactions, run->rows);
  struct job job = {
    .server = connect_to(run->address),
    .people = workload_people(run->rows, count), .count = count};
  execute(job.server, "SET default_transaction_isolation TO 'serializable'");
  prepare(
    job.server, "insert",
    "INSERT INTO \"Person\" (name, email, age, score, joined, avatar, note) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING \"objectID\"",
    7, person_types);
  int64_t check = workload_measured(insert_each, &job);
  workload_tell(run->workload, count, check, 0);
}

// The statements that are sent before their results are read.
enum { statements_at_once = 256 };

static int64_t read_counts(PGconn *server, int count) {
  int64_t sum = 0;
  for (int i = 0; i < count; i++) {
    PGresult *result = PQgetResult(server);
    expect(server, result, PGRES_COMMAND_OK);
    sum += atoll(PQcmdTuples(result));
    PQclear(result);
    PQclear(PQgetResult(server));
  }
  PGresult *end = PQgetResult(server);
  expect(server, end, PGRES_PIPELINE_SYNC);
  PQclear(end);
  return sum;
}

// Updates every second object with the values of another person.
static int64_t update(void *context) {
  struct job *job = context;
  PGconn *server = job->server;
  struct values values;
  int64_t sum = 0;
  execute(server, begin);
  PQenterPipelineMode(server);
  int waiting = 0;
  for (int64_t i = 0; i < job->count; i++) {
    const struct workload_person *person = &job->people[i];
    if (job->is_partial) {
      set_integer(&values, 0, person->age);
      set_real(&values, 1, person->score);
    } else {
      set_person(&values, person);
    }
    int count = job->is_partial ? 2 : 7;
    set_integer(&values, count, 2 * i + 1);
    PQsendQueryPrepared(
      server, "update", count + 1, values.pointers, values.lengths, values.formats, 1);
    if (++waiting == statements_at_once || i == job->count - 1) {
      PQpipelineSync(server);
      sum += read_counts(server, waiting);
      waiting = 0;
    }
  }
  PQexitPipelineMode(server);
  execute(server, "COMMIT");
  return sum;
}

void run_update(const struct run *run) {
  int64_t count = workload_size(workload_updates, run->rows);
  struct job job = {
    .server = connect_to(run->address), .people = workload_people(run->rows, count), .count = count,
    .is_partial = strcmp(run->workload, "w7p") == 0};
  warm(job.server);
  if (job.is_partial) {
    prepare(
      job.server, "update", "UPDATE \"Person\" SET age = $1, score = $2 WHERE \"objectID\" = $3", 3,
      (Oid[]){20, 701, 20});
  } else {
    prepare(
      job.server, "update",
      "UPDATE \"Person\" SET name = $1, email = $2, age = $3, score = $4, joined = $5, "
      "avatar = $6, note = $7 WHERE \"objectID\" = $8",
      8, (Oid[]){25, 25, 20, 701, 701, 17, 25, 20});
  }
  int64_t check = workload_measured(update, &job);
  workload_tell(run->workload, count, check, 0);
}

static int64_t insert_pets_in_one(void *context) {
  struct job *job = context;
  struct buffer buffer = {0};
  execute(job->server, begin);
  begin_copy(job->server, &buffer, "COPY \"Pet\" (name, owner) FROM STDIN (FORMAT binary)");
  for (int64_t i = 0; i < job->count * 4; i++) {
    add_count(&buffer, 2);
    add_text(&buffer, job->names[i]);
    add_integer(&buffer, i / 4 + 1);
    send_copy(job->server, &buffer);
  }
  end_copy(job->server, &buffer);
  execute(job->server, "COMMIT");
  free(buffer.bytes);
  return 0;
}

static struct job pets_for(PGconn *server, int64_t owners) {
  struct job job = {
    .server = server, .names = malloc((size_t)owners * 4 * 32), .count = owners};
  for (int64_t i = 0; i < owners * 4; i++) workload_pet(i, job.names[i]);
  return job;
}

void run_pets(const struct run *run) {
  struct job job =
    pets_for(connect_to(run->address), workload_size(workload_owners, run->rows));
  workload_measured(insert_pets_in_one, &job);
  int64_t check = number(job.server, "SELECT sum(\"objectID\") FROM \"Pet\"");
  workload_tell(run->workload, job.count * 4, check, 0);
}

static int64_t remove_together(void *context) {
  struct job *job = context;
  // An array of int8: dimensions, no NULL, the type, the length, the first index, the elements.
  size_t length = 20 + 12 * (size_t)job->count;
  char *array = malloc(length);
  uint32_t head[5] = {htobe32(1), 0, htobe32(20), htobe32((uint32_t)job->count), htobe32(1)};
  memcpy(array, head, sizeof head);
  for (int64_t i = 0; i < job->count; i++) {
    uint32_t width = htobe32(8);
    uint64_t id = htobe64((uint64_t)i + 1);
    memcpy(array + 20 + 12 * i, &width, 4);
    memcpy(array + 24 + 12 * i, &id, 8);
  }
  struct values values;
  set_text(&values, 0, array, (int)length);
  execute(job->server, begin);
  PGresult *result = run_prepared(job->server, "delete", 1, &values);
  expect(job->server, result, PGRES_COMMAND_OK);
  PQclear(result);
  execute(job->server, "COMMIT");
  free(array);
  return 0;
}

static int64_t objects(PGconn *server) {
  return number(
    server, "SELECT (SELECT count(*) FROM \"Person\") + (SELECT count(*) FROM \"Pet\")");
}

void run_remove(const struct run *run) {
  PGconn *server = connect_to(run->address);
  struct job job = pets_for(server, workload_size(workload_owners, run->rows));
  insert_pets_in_one(&job);
  prepare(
    server, "delete", "DELETE FROM \"Person\" WHERE \"objectID\" = ANY ($1)", 1, (Oid[]){1016});
  int64_t before = objects(server);
  workload_measured(remove_together, &job);
  workload_tell(run->workload, job.count, before - objects(server), 0);
}

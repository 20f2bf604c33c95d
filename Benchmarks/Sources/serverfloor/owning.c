#include "serverfloor.h"

#include <stdlib.h>

struct job {
  PGconn *server;
  struct workload_person *people;
  int64_t count;
};

struct keeper {
  int64_t id;
  char *name;
  struct { int64_t id; char *name; } toys[4];
  int toy_count;
};

static void save(struct job *job) {
  struct buffer buffer = {0};
  execute(job->server, "BEGIN ISOLATION LEVEL SERIALIZABLE");
  struct values values;
  set_integer(&values, 0, job->count);
  PGresult *numbers = run_prepared(job->server, "numbers", 1, &values);
  expect(job->server, numbers, PGRES_TUPLES_OK);
  begin_copy(
    job->server, &buffer, "COPY \"Keeper\" (name, \"objectID\") FROM STDIN (FORMAT binary)");
  for (int64_t i = 0; i < job->count; i++) {
    add_count(&buffer, 2);
    add_text(&buffer, job->people[i].name);
    add_integer(&buffer, integer_at(numbers, (int)i, 0));
    send_copy(job->server, &buffer);
  }
  end_copy(job->server, &buffer);
  begin_copy(job->server, &buffer, "COPY \"Toy\" (name, keeper) FROM STDIN (FORMAT binary)");
  for (int64_t i = 0; i < job->count * 4; i++) {
    add_count(&buffer, 2);
    add_text(&buffer, job->people[i / 4].email);
    add_integer(&buffer, integer_at(numbers, (int)(i / 4), 0));
    send_copy(job->server, &buffer);
  }
  end_copy(job->server, &buffer);
  execute(job->server, "COMMIT");
  PQclear(numbers);
  free(buffer.bytes);
}

static int64_t fetch(struct job *job) {
  struct values values;
  PGresult *all = run_prepared(job->server, "keepers", 0, &values);
  expect(job->server, all, PGRES_TUPLES_OK);
  int count = PQntuples(all);
  struct keeper *keepers = calloc((size_t)count, sizeof *keepers);
  for (int i = 0; i < count; i++) {
    keepers[i].id = integer_at(all, i, 0);
    keepers[i].name = text_at(all, i, 1);
  }
  PQclear(all);
  PGresult *toys = run_prepared(job->server, "toys", 0, &values);
  expect(job->server, toys, PGRES_TUPLES_OK);
  int64_t place = 0, sum = 0;
  for (int i = 0; i < PQntuples(toys); i++) {
    int64_t id = integer_at(toys, i, 2);
    while (keepers[place].id < id) place++;
    struct keeper *owner = &keepers[place];
    owner->toys[owner->toy_count].id = integer_at(toys, i, 0);
    owner->toys[owner->toy_count++].name = text_at(toys, i, 1);
  }
  PQclear(toys);
  for (int i = 0; i < count; i++) {
    sum += keepers[i].toy_count;
    for (int k = 0; k < keepers[i].toy_count; k++) free(keepers[i].toys[k].name);
    free(keepers[i].name);
  }
  free(keepers);
  return sum;
}

// Saves owners with their owned objects, and reads them back owner by owner.
static int64_t save_and_fetch(void *context) {
  save(context);
  return fetch(context);
}

void run_owned(const struct run *run) {
  int64_t owners = workload_size(workload_owners, run->rows);
  struct job job = {
    .server = connect_to(run->address), .people = workload_people(0, owners), .count = owners};
  prepare(
    job.server, "numbers",
    "SELECT nextval(pg_get_serial_sequence('\"Keeper\"', 'objectID')) "
    "FROM generate_series(1, $1)",
    1, (Oid[]){20});
  prepare(
    job.server, "keepers", "SELECT \"objectID\", name FROM \"Keeper\" ORDER BY \"objectID\"", 0,
    NULL);
  prepare(
    job.server, "toys",
    "SELECT \"objectID\", name, keeper FROM \"Toy\" ORDER BY keeper, \"objectID\"", 0, NULL);
  int64_t check = workload_measured(save_and_fetch, &job);
  workload_tell(run->workload, owners, check, 0);
}

#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  sqlite3 *database;
  sqlite3_stmt *statement;
  struct workload_person *people;
  int64_t count;
  bool is_partial;
};

// Updates every second object with the values of another person.
static int64_t update(void *context) {
  struct job *job = context;
  execute(job->database, "BEGIN IMMEDIATE");
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    const struct workload_person *person = &job->people[i];
    if (job->is_partial) {
      sqlite3_bind_int64(job->statement, 1, person->age);
      sqlite3_bind_double(job->statement, 2, person->score);
      sqlite3_bind_int64(job->statement, 3, 2 * i + 1);
    } else {
      bind_person(job->statement, 1, person);
      sqlite3_bind_int64(job->statement, 8, 2 * i + 1);
    }
    run_once(job->database, job->statement);
    sum += sqlite3_changes(job->database);
  }
  execute(job->database, "COMMIT");
  return sum;
}

void run_update(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  warm(database);
  bool is_partial = strcmp(run->workload, "w7p") == 0;
  char sql[256];
  // With OR FAIL the engine opens no statement journal. For one row the result is the same.
  snprintf(
    sql, sizeof sql, "UPDATE %s Person SET %s WHERE objectID = ?", run->is_better ? "OR FAIL" : "",
    is_partial
      ? "age = ?, score = ?"
      : "name = ?, email = ?, age = ?, score = ?, joined = ?, avatar = ?, note = ?");
  int64_t count = workload_size(workload_updates, run->rows);
  struct job job = {
    .database = database,
    .statement = prepare(database, sql),
    .people = workload_people(run->rows, count),
    .count = count,
    .is_partial = is_partial};
  int64_t check = workload_measured(update, &job);
  workload_tell(run->workload, count, check, 0);
  close_database(database);
}

static int64_t remove_each(void *context) {
  struct job *job = context;
  int before = sqlite3_total_changes(job->database);
  execute(job->database, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < job->count; i++) {
    sqlite3_bind_int64(job->statement, 1, i + 1);
    run_once(job->database, job->statement);
  }
  execute(job->database, "COMMIT");
  return sqlite3_total_changes(job->database) - before;
}

enum { ids_per_statement = 500 };

static int64_t remove_together(void *context) {
  struct job *job = context;
  int before = sqlite3_total_changes(job->database);
  execute(job->database, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < job->count; i += ids_per_statement) {
    for (int k = 0; k < ids_per_statement; k++) {
      if (i + k < job->count) {
        sqlite3_bind_int64(job->statement, k + 1, i + k + 1);
      } else {
        sqlite3_bind_null(job->statement, k + 1);
      }
    }
    run_once(job->database, job->statement);
  }
  execute(job->database, "COMMIT");
  return sqlite3_total_changes(job->database) - before;
}

void run_remove(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  int64_t owners = workload_size(workload_owners, run->rows);
  insert_pets(database, owners);
  char sql[64 + 2 * ids_per_statement] = "DELETE FROM Person WHERE objectID = ?";
  if (run->is_better) {
    strcpy(sql, "DELETE FROM Person WHERE objectID IN (?");
    for (int k = 1; k < ids_per_statement; k++) strcat(sql, ",?");
    strcat(sql, ")");
  }
  struct job job = {.database = database, .statement = prepare(database, sql), .count = owners};
  int64_t check = workload_measured(run->is_better ? remove_together : remove_each, &job);
  workload_tell(run->workload, owners, check, 0);
  close_database(database);
}

struct keeper {
  int64_t id;
  char *name;
  struct { int64_t id; char *name; } toys[4];
  int toy_count;
};

static char *copy(const unsigned char *text) { return strdup((const char *)text); }

// Saves owners with their owned objects, and reads them back owner by owner.
static int64_t save_and_fetch(void *context) {
  struct job *job = context;
  sqlite3 *database = job->database;
  sqlite3_stmt *keeper = prepare(database, "INSERT INTO Keeper (name) VALUES (?)");
  sqlite3_stmt *toy = prepare(database, "INSERT INTO Toy (name, keeper) VALUES (?, ?)");
  execute(database, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < job->count; i++) {
    sqlite3_bind_text(keeper, 1, job->people[i].name, -1, SQLITE_STATIC);
    run_once(database, keeper);
    int64_t id = sqlite3_last_insert_rowid(database);
    for (int k = 0; k < 4; k++) {
      sqlite3_bind_text(toy, 1, job->people[i].email, -1, SQLITE_STATIC);
      sqlite3_bind_int64(toy, 2, id);
      run_once(database, toy);
    }
  }
  execute(database, "COMMIT");
  struct keeper *keepers = calloc((size_t)job->count, sizeof *keepers);
  sqlite3_stmt *all = prepare(database, "SELECT objectID, name FROM Keeper ORDER BY objectID");
  for (int64_t i = 0; sqlite3_step(all) == SQLITE_ROW; i++) {
    keepers[i].id = sqlite3_column_int64(all, 0);
    keepers[i].name = copy(sqlite3_column_text(all, 1));
  }
  sqlite3_stmt *toys =
    prepare(database, "SELECT objectID, name, keeper FROM Toy ORDER BY keeper, objectID");
  int64_t place = 0, sum = 0;
  while (sqlite3_step(toys) == SQLITE_ROW) {
    int64_t id = sqlite3_column_int64(toys, 2);
    while (keepers[place].id < id) place++;
    struct keeper *owner = &keepers[place];
    owner->toys[owner->toy_count].id = sqlite3_column_int64(toys, 0);
    owner->toys[owner->toy_count++].name = copy(sqlite3_column_text(toys, 1));
  }
  for (int64_t i = 0; i < job->count; i++) {
    sum += keepers[i].toy_count;
    for (int k = 0; k < keepers[i].toy_count; k++) free(keepers[i].toys[k].name);
    free(keepers[i].name);
  }
  free(keepers);
  return sum;
}

void run_owned(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  execute(
    database,
    "CREATE TABLE Keeper (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);"
    "CREATE TABLE Toy (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, "
    "keeper INTEGER REFERENCES Keeper (objectID) ON UPDATE CASCADE ON DELETE CASCADE "
    "DEFERRABLE INITIALLY DEFERRED);"
    "CREATE INDEX Toy_keeper ON Toy (keeper);");
  int64_t owners = workload_size(workload_owners, run->rows);
  struct job job = {.database = database, .people = workload_people(0, owners), .count = owners};
  int64_t check = workload_measured(save_and_fetch, &job);
  workload_tell(run->workload, owners, check, 0);
  close_database(database);
}

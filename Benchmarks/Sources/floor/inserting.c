#include "floor.h"

#include <stdlib.h>
#include <string.h>

// One statement binds at most 999 values.
enum { rows_per_statement = 8 };

struct job {
  sqlite3 *database;
  sqlite3_stmt *statement;
  sqlite3_stmt *single;
  sqlite3_stmt *begin;
  sqlite3_stmt *commit;
  struct workload_person *people;
  int64_t count;
};

static const char insert_one[] =
  "INSERT INTO Person (name, email, age, score, joined, avatar, note) VALUES (?, ?, ?, ?, ?, ?, ?)";

// Without OR FAIL, a statement of several rows opens a journal, which SQLCipher 3.4 encrypts.
static const char insert_eight[] =
  "INSERT OR FAIL INTO Person (name, email, age, score, joined, avatar, note) VALUES "
  "(?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), "
  "(?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?)";

static int64_t insert_in_one(void *context) {
  struct job *job = context;
  execute(job->database, "BEGIN IMMEDIATE");
  int64_t sum = 0;
  int64_t i = 0;
  for (; job->statement && i + rows_per_statement <= job->count; i += rows_per_statement) {
    for (int k = 0; k < rows_per_statement; k++) {
      bind_person(job->statement, 1 + 7 * k, &job->people[i + k]);
    }
    run_once(job->database, job->statement);
    int64_t last = sqlite3_last_insert_rowid(job->database);
    for (int k = 0; k < rows_per_statement; k++) sum += last - k;
  }
  for (; i < job->count; i++) {
    bind_person(job->single, 1, &job->people[i]);
    run_once(job->database, job->single);
    sum += sqlite3_last_insert_rowid(job->database);
  }
  execute(job->database, "COMMIT");
  return sum;
}

static int64_t insert_each(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    run_once(job->database, job->begin);
    bind_person(job->single, 1, &job->people[i]);
    run_once(job->database, job->single);
    sum += sqlite3_last_insert_rowid(job->database);
    run_once(job->database, job->commit);
  }
  return sum;
}

static int64_t insert_streamed(void *context) {
  struct job *job = context;
  execute(job->database, "BEGIN IMMEDIATE");
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    struct workload_person person;
    workload_person(i, &person);
    bind_person(job->single, 1, &person);
    run_once(job->database, job->single);
    sum += sqlite3_last_insert_rowid(job->database);
  }
  execute(job->database, "COMMIT");
  return sum;
}

static struct job job_for(sqlite3 *database, int64_t count, bool is_better) {
  return (struct job){
    .database = database,
    .statement = is_better ? prepare(database, insert_eight) : NULL,
    .single = prepare(database, insert_one),
    .begin = prepare(database, "BEGIN IMMEDIATE"),
    .commit = prepare(database, "COMMIT"),
    .count = count};
}

void insert_people(sqlite3 *database, int64_t rows) {
  struct job job = job_for(database, rows, false);
  insert_streamed(&job);
}

void run_prepare(const struct run *run) {
  bool is_under_words = strcmp(run->workload, "prepare-words") == 0;
  sqlite3 *database = is_under_words ? open_words(run->path) : open_raw(run->path, workload_key);
  make_tables(database);
  insert_people(database, run->rows);
  close_database(database);
}

void run_insert(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  make_tables(database);
  struct job job = job_for(database, run->rows, run->is_better);
  job.people = workload_people(0, run->rows);
  int64_t check = workload_measured(insert_in_one, &job);
  workload_tell(run->workload, run->rows, check, 0);
  close_database(database);
}

void run_insert_streamed(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  make_tables(database);
  struct job job = job_for(database, run->rows, false);
  int64_t check = workload_measured(insert_streamed, &job);
  workload_tell(run->workload, run->rows, check, 0);
  close_database(database);
}

void run_small_transactions(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  int64_t count = workload_size(workload_transactions, run->rows);
  struct job job = job_for(database, count, false);
  job.people = workload_people(run->rows, count);
  int64_t check = workload_measured(insert_each, &job);
  workload_tell(run->workload, count, check, 0);
  close_database(database);
}

struct pets {
  sqlite3 *database;
  sqlite3_stmt *statement;
  char (*names)[32];
  int64_t owners;
};

static int64_t insert_pets_in_one(void *context) {
  struct pets *pets = context;
  execute(pets->database, "BEGIN IMMEDIATE");
  int64_t sum = 0;
  for (int64_t i = 0; i < pets->owners * 4; i++) {
    const char *name = pets->names[i];
    sqlite3_bind_text(pets->statement, 1, name, (int)strlen(name), SQLITE_STATIC);
    sqlite3_bind_int64(pets->statement, 2, i / 4 + 1);
    run_once(pets->database, pets->statement);
    sum += sqlite3_last_insert_rowid(pets->database);
  }
  execute(pets->database, "COMMIT");
  return sum;
}

static struct pets pets_for(sqlite3 *database, int64_t owners) {
  struct pets pets = {
    .database = database,
    .statement = prepare(database, "INSERT INTO Pet (name, owner) VALUES (?, ?)"),
    .names = malloc((size_t)owners * 4 * 32),
    .owners = owners};
  for (int64_t i = 0; i < owners * 4; i++) workload_pet(i, pets.names[i]);
  return pets;
}

void insert_pets(sqlite3 *database, int64_t owners) {
  struct pets pets = pets_for(database, owners);
  insert_pets_in_one(&pets);
}

void run_pets(const struct run *run) {
  sqlite3 *database = open_raw(run->path, workload_key);
  struct pets pets = pets_for(database, workload_size(workload_owners, run->rows));
  int64_t check = workload_measured(insert_pets_in_one, &pets);
  workload_tell(run->workload, pets.owners * 4, check, 0);
  close_database(database);
}

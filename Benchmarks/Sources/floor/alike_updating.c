#include "alike.h"

#include <stdlib.h>
#include <string.h>

static const char update_two[] =
  "UPDATE OR FAIL \"Person\" SET \"age\" = ?3, \"score\" = ?4 WHERE \"Person\".\"objectID\" = ?8";
static const char count_commit[] =
  "UPDATE objectvault_info SET \"value\" = CAST(\"value\" AS INTEGER) + 1 "
  "WHERE \"key\" = 'commit_counter'";

uint64_t hash_of(const char *text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001B3;
  return hash;
}

// Alike: a kept statement is found by its text, and is not one that stands on a row.
sqlite3_stmt *find_statement(struct kept_statement *kept, const char *sql, uint64_t hash) {
  if (kept->hash != hash || strcmp(kept->sql, sql) != 0) workload_fail(sql, "is not kept");
  if (sqlite3_stmt_busy(kept->statement)) sqlite3_reset(kept->statement);
  return kept->statement;
}

void keep_update(struct kept_statement *kept, sqlite3 *database) {
  register_functions(database);
  *kept = (struct kept_statement){
    .sql = update_two, .hash = hash_of(update_two), .statement = prepare(database, update_two)};
}

// Alike: of what an object has only that is bound which the statement uses.
static void update_row(
  sqlite3 *writer, sqlite3_stmt *statement, const struct workload_person *person, int64_t id) {
  sqlite3_clear_bindings(statement);
  sqlite3_bind_int64(statement, 3, person->age);
  sqlite3_bind_double(statement, 4, person->score);
  sqlite3_bind_int64(statement, 8, id);
  run_once(writer, statement);
  if (sqlite3_changes(writer) < 1) workload_fail("an object", "is not there");
}

// Alike: the gate, the path, and whether there was such an object.
void update_one(
  struct vault *vault, struct kept_statement *kept, const struct workload_person *person,
  int64_t id) {
  enter_gate(vault);
  check_path(vault);
  update_row(vault->writer, find_statement(kept, kept->sql, kept->hash), person, id);
  leave_gate(vault);
}

struct job {
  struct vault vault;
  struct kept_statement kept;
  struct workload_person *people;
  int64_t count;
};

// Alike: one statement for all, in one transaction. The commit is counted, where somebody asked for
// that.
static int64_t update_all(void *context) {
  struct job *job = context;
  enter_gate(&job->vault);
  check_path(&job->vault);
  sqlite3 *writer = job->vault.writer;
  execute(writer, "BEGIN IMMEDIATE");
  sqlite3_stmt *statement = find_statement(&job->kept, job->kept.sql, job->kept.hash);
  for (int64_t i = 0; i < job->count; i++) {
    update_row(writer, statement, &job->people[i], 2 * i + 1);
  }
  execute(writer, count_commit);
  execute(writer, "COMMIT");
  leave_gate(&job->vault);
  return job->count;
}

void run_update_alike(const struct run *run) {
  struct job job = {.count = workload_size(workload_updates, run->rows)};
  open_vault(&job.vault, run->path, NULL);
  warm(job.vault.writer);
  keep_update(&job.kept, job.vault.writer);
  job.people = malloc((size_t)job.count * sizeof *job.people);
  for (int64_t i = 0; i < job.count; i++) {
    // What was fetched, with two values of another person.
    struct workload_person other;
    workload_person(2 * i, &job.people[i]);
    workload_person(run->rows + i, &other);
    job.people[i].age = other.age;
    job.people[i].score = other.score;
  }
  int64_t check = workload_measured(update_all, &job);
  workload_tell(run->workload, job.count, check, 0);
  close_vault(&job.vault);
}

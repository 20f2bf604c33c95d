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
    .sql = update_two, .hash = hash_of(update_two), .statement = prepare(database, update_two),
    .arena = malloc(1024)};
}

// Alike: bound texts and bytes are copied once, into memory of the statement.
static const void *keep(struct kept_statement *kept, const void *bytes, size_t length) {
  void *place = kept->arena + kept->used;
  memcpy(place, bytes, length);
  kept->used += length;
  return place;
}

static void bind_text(struct kept_statement *kept, int position, const char *text) {
  size_t length = strlen(text);
  sqlite3_bind_text64(
    kept->statement, position, keep(kept, text, length), length, SQLITE_STATIC, SQLITE_UTF8);
}

// Alike: an object binds all that it has, of which the statement uses two values.
static void bind_all(struct kept_statement *kept, const struct workload_person *person) {
  sqlite3_clear_bindings(kept->statement);
  kept->used = 0;
  bind_text(kept, 1, person->name);
  bind_text(kept, 2, person->email);
  sqlite3_bind_int64(kept->statement, 3, person->age);
  sqlite3_bind_double(kept->statement, 4, person->score);
  sqlite3_bind_double(kept->statement, 5, person->joined);
  sqlite3_bind_blob64(kept->statement, 6, keep(kept, person->avatar, 64), 64, SQLITE_STATIC);
  if (person->has_note) {
    bind_text(kept, 7, person->note);
  } else {
    sqlite3_bind_null(kept->statement, 7);
  }
}

// Alike: the gate, which the thread may hold already, the path outside a transaction, and whether
// there was such an object.
void update_one(
  struct vault *vault, struct kept_statement *kept, const struct workload_person *person,
  int64_t id) {
  bool is_in_transaction = atomic_load_explicit(&vault->holder, memory_order_relaxed)
    == (uintptr_t)pthread_self();
  enter_gate(vault);
  if (is_in_transaction) {
    if (sqlite3_get_autocommit(vault->writer)) workload_fail("a transaction", "has ended");
  } else {
    check_path(vault);
  }
  sqlite3_stmt *statement = find_statement(kept, kept->sql, kept->hash);
  bind_all(kept, person);
  sqlite3_bind_int64(statement, 8, id);
  run_once(vault->writer, statement);
  if (sqlite3_changes(vault->writer) < 1) workload_fail("an object", "is not there");
  if (!is_in_transaction) leave_gate(vault);
}

struct job {
  struct vault vault;
  struct kept_statement kept;
  struct workload_person *people;
  int64_t count;
};

// Alike: the commit is counted, where somebody asked for that.
static int64_t update_all(void *context) {
  struct job *job = context;
  enter_gate(&job->vault);
  check_path(&job->vault);
  sqlite3 *writer = job->vault.writer;
  execute(writer, "BEGIN IMMEDIATE");
  for (int64_t i = 0; i < job->count; i++) {
    update_one(&job->vault, &job->kept, &job->people[i], 2 * i + 1);
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

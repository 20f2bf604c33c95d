#include "alike.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS \
  "SELECT \"Person\".\"name\", \"Person\".\"email\", \"Person\".\"age\", \"Person\".\"score\", " \
  "\"Person\".\"joined\", \"Person\".\"avatar\", \"Person\".\"note\", \"Person\".\"objectID\" " \
  "FROM \"Person\" "

const char select_people[] = COLUMNS "WHERE \"Person\".\"objectID\" = ?8";
const char select_all[] = COLUMNS "ORDER BY \"Person\".rowid";
static const char select_first[] =
  COLUMNS "WHERE \"Person\".\"email\" = ? ORDER BY \"Person\".rowid LIMIT 1";
static const char select_mean[] =
  "SELECT ov_g0 FROM (SELECT ov_mean(ov_v0) AS ov_g0 FROM (SELECT \"Person\".\"score\" AS ov_v0 "
  "FROM \"Person\" WHERE \"Person\".\"age\" >= ?)) AS ov_groups";

struct job {
  struct vault vault;
  int64_t rows;
  int64_t count;
  struct workload_person *wanted;
  struct kept_statement kept;
  /* The texts of conditions that were asked lately are found under a lock. */
  pthread_mutex_t known;
  const char *condition;
  uint64_t condition_hash;
  bool is_in_scope;
};

static int64_t take_age(sqlite3_stmt *statement) {
  struct kept_object object;
  take_row(statement, &object);
  int64_t age = object.age;
  let_go(&object);
  return age;
}

static int64_t fetch_by_id(void *context) {
  struct job *job = context;
  if (job->is_in_scope) begin_scope(&job->vault);
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    struct reader *reader = take_reader(&job->vault);
    sqlite3_bind_int64(reader->find, 8, workload_choice(k, job->rows) + 1);
    if (sqlite3_step(reader->find) == SQLITE_ROW) sum += take_age(reader->find);
    sqlite3_reset(reader->find);
    give_reader(&job->vault, reader);
  }
  if (job->is_in_scope) end_scope(&job->vault);
  return sum;
}

// Alike: a condition comes as text, by which what was made of it before is found.
static sqlite3_stmt *statement_of(struct job *job, const char *condition) {
  uint64_t hash = hash_of(condition);
  pthread_mutex_lock(&job->known);
  bool is_known = hash == job->condition_hash && strcmp(condition, job->condition) == 0;
  pthread_mutex_unlock(&job->known);
  if (!is_known) workload_fail(condition, "is not known");
  return find_statement(&job->kept, job->kept.sql, job->kept.hash);
}

static int64_t look_up(void *context) {
  struct job *job = context;
  begin_scope(&job->vault);
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    const char *email = job->wanted[k].email;
    struct reader *reader = take_reader(&job->vault);
    sqlite3_stmt *statement = statement_of(job, "email == %@");
    size_t length = strlen(email);
    sqlite3_clear_bindings(statement);
    memcpy(job->kept.arena, email, length);
    sqlite3_bind_text64(statement, 1, job->kept.arena, length, SQLITE_STATIC, SQLITE_UTF8);
    // Alike: a query is run to its end.
    while (sqlite3_step(statement) == SQLITE_ROW) sum += take_age(statement);
    sqlite3_reset(statement);
    give_reader(&job->vault, reader);
  }
  end_scope(&job->vault);
  return sum;
}

static int64_t mean(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    struct reader *reader = take_reader(&job->vault);
    sqlite3_stmt *statement = statement_of(job, "age >= %@");
    sqlite3_clear_bindings(statement);
    sqlite3_bind_int64(statement, 1, workload_choice(k, 100));
    while (sqlite3_step(statement) == SQLITE_ROW) {
      bool is_null = sqlite3_column_type(statement, 0) == SQLITE_NULL;
      if (!is_null) sum += (int64_t)sqlite3_column_double(statement, 0);
    }
    sqlite3_reset(statement);
    give_reader(&job->vault, reader);
  }
  return sum;
}

// Opens the file and reads it once through the connection that will be measured.
static void open_job(struct job *job, const struct run *run, const char *sql) {
  *job = (struct job){.rows = run->rows, .is_in_scope = strcmp(run->workload, "w4") == 0};
  pthread_mutex_init(&job->known, NULL);
  open_vault(&job->vault, run->path, NULL);
  struct reader *reader = take_reader(&job->vault);
  warm(reader->database);
  if (sql) {
    job->kept = (struct kept_statement){
      .sql = sql, .hash = hash_of(sql), .statement = prepare(reader->database, sql),
      .arena = malloc(256)};
  }
  give_reader(&job->vault, reader);
}

static void measure(const struct run *run, struct job *job, int64_t (*body)(void *)) {
  int64_t check = workload_measured(body, job);
  workload_tell(run->workload, job->count, check, 0);
  close_vault(&job->vault);
}

void run_fetch_by_id_alike(const struct run *run) {
  struct job job;
  open_job(&job, run, NULL);
  job.count = workload_size(workload_fetches, run->rows);
  measure(run, &job, fetch_by_id);
}

void run_lookup_alike(const struct run *run) {
  struct job job;
  open_job(&job, run, select_first);
  job.condition = "email == %@";
  job.condition_hash = hash_of(job.condition);
  job.count = workload_size(workload_lookups, run->rows);
  job.wanted = malloc((size_t)job.count * sizeof *job.wanted);
  for (int64_t k = 0; k < job.count; k++) {
    workload_person(workload_choice(k, run->rows), &job.wanted[k]);
  }
  measure(run, &job, look_up);
}

void run_mean_alike(const struct run *run) {
  struct job job;
  open_job(&job, run, select_mean);
  job.condition = "age >= %@";
  job.condition_hash = hash_of(job.condition);
  job.count = workload_size(workload_aggregates, run->rows);
  measure(run, &job, mean);
}

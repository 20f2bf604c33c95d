#include "floor.h"

#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct job {
  const struct run *run;
  int64_t count;
};

static int64_t open_each(void *context) {
  struct job *job = context;
  bool is_under_words = strcmp(job->run->workload, "w9p") == 0;
  int64_t sum = 0;
  for (int64_t i = 0; i < job->count; i++) {
    sqlite3 *database =
      is_under_words ? open_words(job->run->path) : open_raw(job->run->path, workload_key);
    sum += 1 + number(database, "PRAGMA user_version") * 0;
    close_database(database);
  }
  return sum;
}

void run_open(const struct run *run) {
  struct job job = {.run = run, .count = 1};
  open_each(&job);
  job.count =
    strcmp(run->workload, "w9p") == 0 ? workload_openings_under_words : workload_openings;
  int64_t check = workload_measured(open_each, &job);
  workload_tell(run->workload, job.count, check, 0);
}

// Derives the key from the passphrase as the engine does: with SHA-1 before SQLCipher 4, else with
// SHA-512.
static void derive(const char *path, uint8_t key[32]) {
  uint8_t salt[16];
  FILE *file = fopen(path, "rb");
  if (!file || fread(salt, 1, 16, file) != 16) workload_fail(path, "has no salt");
  fclose(file);
  bool is_old = sqlite3_libversion_number() < 3020000;
  PKCS5_PBKDF2_HMAC(
    workload_words, (int)strlen(workload_words), salt, 16, is_old ? 64000 : 256000,
    is_old ? EVP_sha1() : EVP_sha512(), 32, key);
}

enum { readers = 5 };

static int64_t open_pool(void *context) {
  struct job *job = context;
  uint8_t key[32];
  if (job->run->is_better) derive(job->run->path, key);
  sqlite3 *pool[readers];
  int64_t sum = 0;
  for (int i = 0; i < readers; i++) {
    pool[i] = job->run->is_better ? open_raw(job->run->path, key) : open_words(job->run->path);
    sum += number(pool[i], "SELECT count(*) FROM Person") > 0;
  }
  for (int i = 0; i < readers; i++) close_database(pool[i]);
  return sum;
}

void run_open_pool(const struct run *run) {
  struct job job = {.run = run, .count = readers};
  int64_t check = workload_measured(open_pool, &job);
  workload_tell(run->workload, readers, check, 0);
}

static int64_t copy(void *context) {
  struct job *job = context;
  char path[4096];
  snprintf(path, sizeof path, "%s.copy", job->run->path);
  sqlite3 *source = open_raw(job->run->path, workload_key);
  sqlite3 *target = open_raw(path, workload_other_key);
  sqlite3_backup *backup = sqlite3_backup_init(target, "main", source, "main");
  check_code(target, sqlite3_backup_step(backup, -1), SQLITE_DONE);
  sqlite3_backup_finish(backup);
  close_database(target);
  close_database(source);
  return 1;
}

void run_copy(const struct run *run) {
  struct job job = {.run = run};
  int64_t check = workload_measured(copy, &job);
  workload_tell(run->workload, run->rows, check, 0);
}

struct contest {
  const struct run *run;
  uint64_t end;
  atomic_llong reads;
  atomic_llong writes;
};

enum { writer = 4 };

static void take_part(void *context, int thread) {
  struct contest *contest = context;
  const struct run *run = contest->run;
  sqlite3 *database = open_raw(run->path, workload_key);
  int64_t done = 0;
  if (thread == writer) {
    sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE");
    sqlite3_stmt *commit = prepare(database, "COMMIT");
    sqlite3_stmt *update = prepare(
      database, "UPDATE OR FAIL Person SET age = ?, score = ? WHERE objectID = ?");
    for (; workload_now() < contest->end; done++) {
      run_once(database, begin);
      sqlite3_bind_int64(update, 1, done % 100);
      sqlite3_bind_double(update, 2, (double)(done % 1000));
      sqlite3_bind_int64(update, 3, workload_choice(done, run->rows) + 1);
      run_once(database, update);
      run_once(database, commit);
    }
    contest->writes += done;
  } else {
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT %s FROM Person WHERE objectID = ?", columns);
    sqlite3_stmt *select = prepare(database, sql);
    for (; workload_now() < contest->end; done++) {
      sqlite3_bind_int64(select, 1, workload_choice(done * 4 + thread, run->rows) + 1);
      if (sqlite3_step(select) != SQLITE_ROW) workload_fail("read", sqlite3_errmsg(database));
      struct workload_object object;
      read_object(select, &object);
      workload_free_object(&object);
      sqlite3_reset(select);
    }
    contest->reads += done;
  }
  close_database(database);
}

static int64_t contend(void *context) {
  workload_threads(writer + 1, take_part, context);
  return 0;
}

void run_threads(const struct run *run) {
  double length = workload_seconds();
  struct contest contest = {
    .run = run, .end = workload_now() + (uint64_t)(length * 1e9)};
  int64_t check = workload_measured(contend, &contest);
  workload_tell(run->workload, contest.reads, check, (double)contest.writes / length);
}

#include "alike.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Alike: one descriptor beside the engine's, opened first and closed last, and found by device and
// inode, since closing any other drops the engine's locks.
static void hold(struct vault *vault, const char *path) {
  char *resolved = realpath(path, NULL);
  struct stat status;
  if (!resolved || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) {
    workload_fail(path, "is not there");
  }
  vault->path = resolved;
  vault->held = open(resolved, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (vault->held < 0 || fstat(vault->held, &status) != 0 || !S_ISREG(status.st_mode)) {
    workload_fail(path, "is no file");
  }
  vault->device = status.st_dev;
  vault->inode = status.st_ino;
}

// Alike: what a process left that ended while it made the file, or while it rekeyed it.
static bool was_left(const struct vault *vault) {
  char other[4096], folder[4096];
  snprintf(other, sizeof other, "%s-journal", vault->path);
  int journal = open(other, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (journal >= 0) close(journal);
  const char *name = strrchr(vault->path, '/') + 1;
  snprintf(
    folder, sizeof folder, "%.*s.%.200s.copying", (int)(name - vault->path), vault->path, name);
  int copy = open(folder, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (copy >= 0) close(copy);
  return journal >= 0 || copy >= 0;
}

static void recognise(struct vault *vault, const char *words) {
  struct stat status;
  fstat(vault->held, &status);
  uint8_t *head = malloc(usual_page);
  ssize_t count = pread(vault->held, head, usual_page, 0);
  if (count < 512) workload_fail(vault->path, "is too short");
  memcpy(vault->salt, head, 16);
  vault->key = locked_memory();
  if (words) {
    derive_raw_key(words, vault->salt, vault->key);
  } else {
    memcpy(vault->key, workload_key, 32);
  }
  if (!recognises(head, (size_t)status.st_size, vault->key, vault->salt)) {
    workload_fail(vault->path, "another key");
  }
  free(head);
}

// Alike: whether it is a file of the library, which has a write-ahead log.
static void check_kind(sqlite3 *database) {
  sqlite3_stmt *statement = prepare(database, "PRAGMA journal_mode");
  bool is_logged = sqlite3_step(statement) == SQLITE_ROW
    && strcmp((const char *)sqlite3_column_text(statement, 0), "wal") == 0;
  sqlite3_finalize(statement);
  if (!is_logged) workload_fail("the file", "has no write-ahead log");
}

static void check_marks(sqlite3 *database) {
  const char *table = "objectvault_info";
  if (sqlite3_table_column_metadata(
        database, "main", table, "value", NULL, NULL, NULL, NULL, NULL) != SQLITE_OK) {
    workload_fail("the file", "is not the library's");
  }
  sqlite3_stmt *statement = prepare(
    database, "SELECT \"value\" FROM objectvault_info WHERE +\"key\" = 'format_version'");
  bool has_version =
    sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) == 1;
  sqlite3_finalize(statement);
  if (!has_version) workload_fail("the file", "is not the library's");
}

void open_vault(struct vault *vault, const char *path, const char *words) {
  *vault = (struct vault){.held = -1};
  pthread_mutex_init(&vault->gate, NULL);
  pthread_mutex_init(&vault->pool, NULL);
  pthread_cond_init(&vault->freed, NULL);
  hold(vault, path);
  if (was_left(vault)) workload_fail(path, "was left half made");
  recognise(vault, words);
  vault->writer = connect(vault, false);
  check_kind(vault->writer);
  check_marks(vault->writer);
}

void close_vault(struct vault *vault) {
  for (int i = 0; i < vault->idle_count; i++) {
    disconnect(vault->idle[i]->database);
    free(vault->idle[i]);
  }
  disconnect(vault->writer);
  close(vault->held);
  wipe(vault->key);
  pthread_cond_destroy(&vault->freed);
  pthread_mutex_destroy(&vault->pool);
  pthread_mutex_destroy(&vault->gate);
  free((char *)vault->path);
}

struct openings {
  const struct run *run;
  int64_t count;
};

static int64_t open_each(void *context) {
  struct openings *openings = context;
  bool is_under_words = strcmp(openings->run->workload, "w9p") == 0;
  for (int64_t i = 0; i < openings->count; i++) {
    struct vault vault;
    open_vault(&vault, openings->run->path, is_under_words ? workload_words : NULL);
    close_vault(&vault);
  }
  return openings->count;
}

void run_open_alike(const struct run *run) {
  struct openings openings = {.run = run, .count = 1};
  open_each(&openings);
  openings.count =
    strcmp(run->workload, "w9p") == 0 ? workload_openings_under_words : workload_openings;
  int64_t check = workload_measured(open_each, &openings);
  workload_tell(run->workload, openings.count, check, 0);
}

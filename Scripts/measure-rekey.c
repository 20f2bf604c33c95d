/* The floor of a rekey: a database made for it, and a copy of its pages by the engine's backup API
   alone, under another key. Compiled and run by Scripts/measure-rekey. */
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Keys of nothing but such databases; a raw key costs no derivation. */
static const char *const keys[2] = {
    "x'5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a'",
    "x'a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5'"};

static void fail(sqlite3 *database, const char *what) {
  fprintf(stderr, "%s: %s\n", what, database ? sqlite3_errmsg(database) : "");
  exit(1);
}

static void run(sqlite3 *database, const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(database, sql);
}

static sqlite3 *opened(const char *path, const char *key) {
  sqlite3 *database = NULL;
  if (sqlite3_open(path, &database) != SQLITE_OK) fail(database, path);
  if (sqlite3_key(database, key, (int)strlen(key)) != SQLITE_OK) fail(database, "key");
  run(database, "PRAGMA cipher_page_size = 4096");
  return database;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Rows as applications have them: short texts, numbers, a blob, indexes in the order of the rows and in
   none. */
static void make(const char *path, long megabytes) {
  sqlite3 *database = opened(path, keys[0]);
  run(database,
      "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;"
      "CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, size REAL, photo BLOB);"
      "CREATE INDEX person_name ON person(name); CREATE INDEX person_age ON person(age);"
      "CREATE TABLE note(code TEXT UNIQUE, body TEXT, person INTEGER REFERENCES person(id));");
  long pages = megabytes * 256, count = 0;
  for (long rows = 0; count < pages; rows += 4000) {
    char sql[600];
    snprintf(sql, sizeof sql,
             "BEGIN;"
             "WITH RECURSIVE n(i) AS (SELECT %ld UNION ALL SELECT i + 1 FROM n WHERE i < %ld)"
             " INSERT INTO person SELECT i, 'name ' || i, i %% 90, i / 7.0, randomblob(64) FROM n;"
             "INSERT INTO note SELECT hex(randomblob(8)), hex(randomblob(40 + id %% 90)), id FROM person WHERE id >= %ld;"
             "COMMIT",
             rows + 1, rows + 4000, rows + 1);
    run(database, sql);
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(database, "PRAGMA page_count", -1, &statement, NULL);
    if (sqlite3_step(statement) != SQLITE_ROW) fail(database, "page_count");
    count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
  }
  sqlite3_close(database);
}

/* Prints how long the copy took, opening and closing aside. */
static void copy(const char *from, const char *to) {
  unlink(to);
  sqlite3 *source = opened(from, keys[0]);
  sqlite3 *destination = opened(to, keys[1]);
  run(source, "PRAGMA user_version");
  run(destination, "PRAGMA synchronous = OFF");
  double start = seconds();
  sqlite3_backup *backup = sqlite3_backup_init(destination, "main", source, "main");
  if (!backup) fail(destination, "backup");
  int code;
  while ((code = sqlite3_backup_step(backup, 500)) == SQLITE_OK) {
  }
  if (code != SQLITE_DONE || sqlite3_backup_finish(backup) != SQLITE_OK) fail(destination, "backup");
  printf("%.6f\n", seconds() - start);
  sqlite3_close(destination);
  sqlite3_close(source);
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "version") == 0) {
    sqlite3 *database = opened(":memory:", keys[0]);
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(database, "PRAGMA cipher_version", -1, &statement, NULL);
    if (sqlite3_step(statement) != SQLITE_ROW) fail(database, "cipher_version");
    printf("%s\n", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(database);
  } else if (count == 4 && strcmp(arguments[1], "make") == 0) {
    make(arguments[2], strtol(arguments[3], NULL, 10));
  } else if (count == 4 && strcmp(arguments[1], "copy") == 0) {
    copy(arguments[2], arguments[3]);
  } else {
    fprintf(stderr, "usage: floor version | make FILE MEGABYTES | copy FROM TO\n");
    return 64;
  }
  return 0;
}

#include "floor.h"

#include <stdio.h>
#include <string.h>

void check_code(sqlite3 *database, int code, int expected) {
  if (code != expected) workload_fail("engine", sqlite3_errmsg(database));
}

void execute(sqlite3 *database, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(database, sql, NULL, NULL, &message)) {
    workload_fail(sql, message ? message : "failed");
  }
}

sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  check_code(database, sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  return statement;
}

int64_t number(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = prepare(database, sql);
  check_code(database, sqlite3_step(statement), SQLITE_ROW);
  int64_t result = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return result;
}

sqlite3 *open_keyed(const char *path, const char *key, int length) {
  sqlite3 *database = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database, flags, NULL)) workload_fail(path, "cannot be opened");
  check_code(database, sqlite3_key_v2(database, "main", key, length), SQLITE_OK);
  sqlite3_busy_timeout(database, 5000);
  char sql[256];
  snprintf(
    sql, sizeof sql,
    "PRAGMA cipher_page_size = 4096; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON;"
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -%d",
    1024 * workload_cache());
  execute(database, sql);
  return database;
}

sqlite3 *open_raw(const char *path, const uint8_t key[32]) {
  char text[68] = "x'";
  for (int i = 0; i < 32; i++) snprintf(text + 2 + 2 * i, 3, "%02X", key[i]);
  text[66] = '\'';
  return open_keyed(path, text, 67);
}

sqlite3 *open_words(const char *path) {
  return open_keyed(path, workload_words, (int)strlen(workload_words));
}

void warm(sqlite3 *database) {
  number(database, "SELECT sum(length(avatar)) FROM Person");
  number(database, "SELECT count(*) FROM Person");
}

void close_database(sqlite3 *database) {
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(database, NULL))) sqlite3_finalize(statement);
  check_code(database, sqlite3_close(database), SQLITE_OK);
}

// Creates the tables with the schema that this library uses, so that the engine does the same work
// for every peer.
void make_tables(sqlite3 *database) {
  execute(
    database,
    "CREATE TABLE Person (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, "
    "email TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL, joined REAL NOT NULL, "
    "avatar BLOB NOT NULL, note TEXT);"
    "CREATE INDEX Person_email ON Person (email);"
    "CREATE TABLE Pet (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, "
    "owner INTEGER REFERENCES Person (objectID) ON UPDATE CASCADE ON DELETE CASCADE "
    "DEFERRABLE INITIALLY DEFERRED);"
    "CREATE INDEX Pet_owner ON Pet (owner);");
}

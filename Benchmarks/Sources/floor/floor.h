#ifndef FLOOR_H
#define FLOOR_H

#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>
#include <workload.h>

/* The arguments of a run. */
struct run {
  const char *workload;
  const char *path;
  int64_t rows;
  /* Whether to use the SQL that costs less than the obvious SQL on this engine. */
  bool is_better;
};

extern const char columns[];

/* database.c */
sqlite3 *open_raw(const char *path, const uint8_t key[32]);
sqlite3 *open_words(const char *path);
sqlite3 *open_keyed(const char *path, const char *key, int length);
void close_database(sqlite3 *database);
void execute(sqlite3 *database, const char *sql);
sqlite3_stmt *prepare(sqlite3 *database, const char *sql);
void check_code(sqlite3 *database, int code, int expected);
void make_tables(sqlite3 *database);
int64_t number(sqlite3 *database, const char *sql);
// Reads the persons and their index once, so that their pages are in the cache of the connection.
void warm(sqlite3 *database);

/* rows.c */
void bind_person(sqlite3_stmt *statement, int position, const struct workload_person *person);
void read_object(sqlite3_stmt *statement, struct workload_object *object);
void run_once(sqlite3 *database, sqlite3_stmt *statement);

/* One function for each workload; each prints its result. */
void run_prepare(const struct run *run);
void run_insert(const struct run *run);
void run_insert_streamed(const struct run *run);
void run_small_transactions(const struct run *run);
void run_pets(const struct run *run);
void run_fetch_all(const struct run *run);
void run_fetch_by_id(const struct run *run);
void run_lookup(const struct run *run);
void run_condition(const struct run *run);
void run_update(const struct run *run);
void run_remove(const struct run *run);
void run_open(const struct run *run);
void run_open_pool(const struct run *run);
void run_count(const struct run *run);
void run_threads(const struct run *run);
void run_copy(const struct run *run);
void run_owned(const struct run *run);
void run_text(const struct run *run);
void run_large(const struct run *run);
void run_verify(const struct run *run);

void insert_people(sqlite3 *database, int64_t rows);
void insert_pets(sqlite3 *database, int64_t owners);

#endif

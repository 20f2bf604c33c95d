#include "alike.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What may be set by the library alone: it puts data in clear on the disk, changes the key, or
// lifts a protection.
static const char *const guarded[] = {
  "temp_store", "temp_store_directory", "key", "rekey", "hexkey", "hexrekey", "textkey",
  "textrekey", "kdf_iter", "fast_kdf_iter", "rekey_kdf_iter", "rekey_cipher", "page_size",
  "mmap_size", "trusted_schema", "writable_schema", "foreign_keys"};

// Alike: every action of a statement that is compiled is looked at. Here nobody but the program
// itself sends SQL, so that what is guarded is found and let through.
static int authorize(
  void *context, int code, const char *first, const char *second, const char *third,
  const char *fourth) {
  (void)third;
  (void)fourth;
  int64_t *seen = context;
  if (code == SQLITE_PRAGMA && second) {
    if (strncasecmp(first, "cipher", 6) == 0) *seen += 1;
    for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++) {
      if (strcasecmp(first, guarded[i]) == 0) *seen += 1;
    }
  } else if (code == SQLITE_FUNCTION) {
    if (strcasecmp(second, "load_extension") == 0) return SQLITE_DENY;
  } else if (code == SQLITE_ATTACH && first[0]) {
    return SQLITE_DENY;
  }
  return SQLITE_OK;
}

static void not_called(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  (void)values;
  sqlite3_result_null(context);
}

static int order(void *context, int one, const void *first, int other, const void *second) {
  (void)context;
  int code = memcmp(first, second, (size_t)(one < other ? one : other));
  return code ? code : one - other;
}

// Alike: what conditions may ask for is there on every connection before its first statement that is
// no setting, each with memory of its own.
void register_functions(sqlite3 *database) {
  static const struct {
    const char *name;
    int arguments;
  } functions[] = {
    {"ov_like", 3}, {"ov_contains", 3}, {"ov_begins_with", 3}, {"ov_ends_with", 3},
    {"ov_matches", 3}, {"ov_fold", 2}, {"ov_add", 2}, {"ov_subtract", 2}, {"ov_multiply", 2},
    {"ov_divide", 2}, {"ov_add_real", 2}, {"ov_subtract_real", 2}, {"ov_multiply_real", 2},
    {"ov_divide_real", 2}, {"ov_sum", 1}, {"ov_sum_real", 1}, {"ov_sum_decimal", 1},
    {"ov_bm25", 2}, {"ov_share", 1}, {"ov_digest", 1}, {"ov_content", 1}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    int code = sqlite3_create_function_v2(
      database, functions[i].name, functions[i].arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      malloc(48), not_called, NULL, NULL, free);
    check_code(database, code, SQLITE_OK);
  }
  register_mean(database);
  sqlite3_create_collation_v2(database, "ov_decimal", SQLITE_UTF8, NULL, order, NULL);
}

// Alike: the salt is read through the engine's own descriptor, and the file is not in clear.
static void refuse_clear(sqlite3 *database) {
  sqlite3_file *file = NULL;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  sqlite3_int64 size = 0;
  file->pMethods->xFileSize(file, &size);
  uint8_t head[16];
  if (size < 16 || file->pMethods->xRead(file, head, 16, 0) != SQLITE_OK
    || memcmp(head, "SQLite format 3", 16) == 0) {
    workload_fail("the file", "is not encrypted");
  }
}

// Alike: the key as raw bytes with the salt, so that the engine derives nothing from words again.
static void set_key(sqlite3 *database, const struct vault *vault) {
  static const char digits[] = "0123456789ABCDEF";
  uint8_t *memory = locked_memory();
  char *text = (char *)memory, *next = text;
  *next++ = 'x';
  *next++ = '\'';
  for (int i = 0; i < 48; i++) {
    uint8_t byte = i < 32 ? vault->key[i] : vault->salt[i - 32];
    *next++ = digits[byte >> 4];
    *next++ = digits[byte & 15];
  }
  *next = '\'';
  check_code(database, sqlite3_key_v2(database, "main", text, 99), SQLITE_OK);
  wipe(memory);
}

sqlite3 *connect(const struct vault *vault, bool is_reader) {
  sqlite3 *database = NULL;
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    | (is_reader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
  if (sqlite3_open_v2(vault->path, &database, flags, NULL)) workload_fail(vault->path, "?");
  sqlite3_extended_result_codes(database, 1);
  check_code(database, sqlite3_busy_timeout(database, 5000), SQLITE_OK);
  static int64_t seen;
  sqlite3_set_authorizer(database, authorize, &seen);
  sqlite3_trace_v2(database, 0, NULL, NULL);
  if (!is_reader && sqlite3_db_readonly(database, "main")) workload_fail(vault->path, "?");
  set_key(database, vault);
  refuse_clear(database);
  set_and_read_back(database, is_reader);
  return database;
}

// Alike: nobody is called back while it closes.
void disconnect(sqlite3 *database) {
  sqlite3_update_hook(database, NULL, NULL);
  sqlite3_commit_hook(database, NULL, NULL);
  sqlite3_rollback_hook(database, NULL, NULL);
  sqlite3_progress_handler(database, 0, NULL, NULL);
  sqlite3_set_authorizer(database, NULL, NULL);
  sqlite3_trace_v2(database, 0, NULL, NULL);
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(database, NULL))) sqlite3_finalize(statement);
  check_code(database, sqlite3_close(database), SQLITE_OK);
}

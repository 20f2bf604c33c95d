#include "alike.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void expect_setting(const char *name, const char *found, const char *expected) {
  if (strcasecmp(found, expected) != 0) workload_fail(name, "was not taken");
}

// The first column of the first row, and none where there is no row; some settings act only when
// they run to their end.
static void ask(sqlite3 *database, const char *sql, char answer[64]) {
  sqlite3_stmt *statement = prepare(database, sql);
  answer[0] = 0;
  if (sqlite3_step(statement) == SQLITE_ROW) {
    const unsigned char *text = sqlite3_column_text(statement, 0);
    int length = sqlite3_column_bytes(statement, 0);
    if (text && length < 64) memcpy(answer, text, (size_t)length + 1);
    while (sqlite3_step(statement) == SQLITE_ROW) {}
  }
  sqlite3_finalize(statement);
}

static void expect(sqlite3 *database, const char *name, const char *expected) {
  char sql[128], answer[64];
  snprintf(sql, sizeof sql, "PRAGMA %s", name);
  ask(database, sql, answer);
  expect_setting(name, answer, expected);
}

// Alike: the engine ignores what it does not know, so that each setting is read back.
static void set(sqlite3 *database, const char *name, const char *value, const char *expected) {
  char sql[128], answer[64];
  snprintf(sql, sizeof sql, "PRAGMA %s = %s", name, value);
  ask(database, sql, answer);
  if (expected && strcasecmp(answer, expected) != 0) expect(database, name, expected);
}

static void configure(sqlite3 *database, int setting, int value) {
  int applied = -1;
  check_code(database, sqlite3_db_config(database, setting, value, &applied), SQLITE_OK);
  if (applied != value) workload_fail("a setting", "was not taken");
}

// Newer engines begin with these settings of the cipher, and tell them all at once.
static void expect_told(sqlite3 *database) {
  static const char *const expected[] = {
    "PRAGMA cipher_hmac_algorithm = HMAC_SHA512;", "PRAGMA cipher_kdf_algorithm = PBKDF2_HMAC_SHA512;",
    "PRAGMA cipher_plaintext_header_size = 0;", "PRAGMA cipher_use_hmac = 1;",
    "PRAGMA cipher_page_size = 4096;", "PRAGMA kdf_iter = 256000;"};
  enum { count = sizeof expected / sizeof *expected };
  int found = 0;
  sqlite3_stmt *statement = prepare(database, "PRAGMA cipher_settings");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    for (int i = 0; i < count; i++) found += strcmp(text, expected[i]) == 0;
  }
  sqlite3_finalize(statement);
  if (found != count) workload_fail("the cipher", "was not taken");
}

static void set_cipher(sqlite3 *database) {
  if (sqlite3_libversion_number() >= 3020000) {
    expect_told(database);
    return;
  }
  set(database, "cipher_page_size", "4096", NULL);
  expect(database, "cipher_use_hmac", "1");
  expect(database, "cipher_page_size", "4096");
  expect(database, "kdf_iter", "64000");
}

void set_and_read_back(sqlite3 *database, bool is_reader) {
  set_cipher(database);
  set(database, "temp_store", "MEMORY", "2");
  configure(database, SQLITE_DBCONFIG_ENABLE_FKEY, 1);
  configure(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
  // SQLITE_DBCONFIG_TRUSTED_SCHEMA, which older headers lack.
  if (sqlite3_libversion_number() >= 3031000) configure(database, 1017, 0);
  sqlite3_int64 mapped = 0;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_MMAP_SIZE, &mapped);
  mapped = -1;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_MMAP_SIZE, &mapped);
  if (mapped > 0) workload_fail("mmap_size", "was not taken");
  set(database, "secure_delete", "ON", "1");
  check_code(
    database, sqlite3_wal_autocheckpoint(database, is_reader ? 0 : 1000), SQLITE_OK);
  // From here on the first page is read.
  char size[32];
  set(database, "synchronous", "1", "1");
  snprintf(size, sizeof size, "-%d", 1024 * workload_cache());
  set(database, "cache_size", size, size);
}

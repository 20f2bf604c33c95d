#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "later_calls.h"

#include <dlfcn.h>
#include <stddef.h>

#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>

const char *later_calls_engine(void) {
  Dl_info info;
  return dladdr((const void *)&sqlite3_key_v2, &info) ? info.dli_fname : "";
}

// Returns a function of the engine itself, even if the process has loaded another SQLite.
static void *own(const char *name) {
  void *engine = dlopen(later_calls_engine(), RTLD_LAZY | RTLD_NOLOAD);
  return engine ? dlsym(engine, name) : NULL;
}

int sqlite3_prepare_v3(
  sqlite3 *database, const char *sql, int length, unsigned int flags, sqlite3_stmt **statement,
  const char **tail
) {
  typedef int function(sqlite3 *, const char *, int, unsigned int, sqlite3_stmt **, const char **);
  static function *prepare;
  static int is_known;
  if (!is_known) {
    prepare = (function *)own("sqlite3_prepare_v3");
    is_known = 1;
  }
  return prepare ? prepare(database, sql, length, flags, statement, tail)
                 : sqlite3_prepare_v2(database, sql, length, statement, tail);
}

int sqlite3_bind_pointer(
  sqlite3_stmt *statement, int position, void *pointer, const char *type, void (*release)(void *)
) {
  typedef int function(sqlite3_stmt *, int, void *, const char *, void (*)(void *));
  function *bind = (function *)own("sqlite3_bind_pointer");
  return bind ? bind(statement, position, pointer, type, release)
              : sqlite3_bind_null(statement, position);
}

#ifndef BENCHMARKS_SQLCIPHER_H
#define BENCHMARKS_SQLCIPHER_H

/* Without this definition the header omits the functions for keys. */
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif

#include <sqlite3.h>

#endif

#ifndef OBJECTVAULT_CSQLCIPHER_SHIM_H
#define OBJECTVAULT_CSQLCIPHER_SHIM_H

/* Without this the header hides sqlite3_key; pkg-config does not give it. */
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif

#include <sqlite3.h>

/* The engine may keep the pointer: its owner outlives the execution of the statement. */
static inline sqlite3_destructor_type ov_static(void) { return SQLITE_STATIC; }

/* The engine takes its own copy before the call returns. */
static inline sqlite3_destructor_type ov_transient(void) { return SQLITE_TRANSIENT; }

#endif

#ifndef OBJECTVAULT_CSQLCIPHER_H
#define OBJECTVAULT_CSQLCIPHER_H

/* Without this the header hides sqlite3_key; pkg-config does not give it. */
#ifndef SQLITE_HAS_CODEC
#define SQLITE_HAS_CODEC 1
#endif

/* The header of the official package, of Debian's and Homebrew's packages, or of a folder that the
   compiler was given. The header of plain SQLite would do no harm: see EngineProof. */
#if __has_include(<SQLCipher/sqlite3.h>)
#include <SQLCipher/sqlite3.h>
#elif __has_include(<sqlcipher/sqlite3.h>)
#include <sqlcipher/sqlite3.h>
#else
#include <sqlite3.h>
#endif
#ifdef __APPLE__
#include <dlfcn.h>
#endif

/* The engine may keep the pointer: its owner outlives the execution of the statement. */
static inline sqlite3_destructor_type ov_static(void) { return SQLITE_STATIC; }

/* The engine takes its own copy before the call returns. */
static inline sqlite3_destructor_type ov_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_db_config takes variable arguments, which Swift cannot pass. A value of -1 only asks. */
static inline int ov_db_config(sqlite3 *db, int setting, int value, int *applied) {
  return sqlite3_db_config(db, setting, value, applied);
}

/* Has the engine keep no account of the memory that it uses, which takes a lock of the whole process at
   each allocation and each release, some fifteen times for an object that is read. It can be set until
   the engine is first used; later this changes nothing. sqlite3_config takes variable arguments, too.
   https://www.sqlite.org/malloc.html, "Memory statistics" */
static inline int ov_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* The addresses that calls from this library reach. They are taken here, and not looked up by
   name, because a look-up can find another image than the one the calls were bound to. */
static inline const void *ov_address_of_open(void) { return (const void *)&sqlite3_open_v2; }
static inline const void *ov_address_of_key(void) { return (const void *)&sqlite3_key_v2; }
static inline const void *ov_address_of_prepare(void) { return (const void *)&sqlite3_prepare_v2; }
static inline const void *ov_address_of_step(void) { return (const void *)&sqlite3_step; }

/* An address of the program or library that contains this module. */
static inline const void *ov_address_of_module(void) { return (const void *)&ov_static; }

/* sqlite3_prepare_v3 of SQLite 3.20 and later. The address is NULL if the engine lacks it: the
   header can be older or newer than the engine. */
extern int ov_prepare_v3(sqlite3 *, const char *, int, unsigned int, sqlite3_stmt **,
                         const char **)
#ifdef __APPLE__
    __asm__("_sqlite3_prepare_v3") __attribute__((weak_import));
#else
    __asm__("sqlite3_prepare_v3") __attribute__((weak));
#endif
static inline const void *ov_address_of_prepare_v3(void) { return (const void *)&ov_prepare_v3; }

/* The image (program or library) that holds an address: its file, and where it was loaded. */
struct ov_image {
  const char *path;
  void *base;
  const char *symbol;
  void *symbol_address;
};

#ifdef __APPLE__
static inline int ov_find_image(const void *address, struct ov_image *image) {
  Dl_info info;
  if (!dladdr(address, &info)) return 0;
  image->path = info.dli_fname;
  image->base = info.dli_fbase;
  return 1;
}
#else
/* The C library declares dladdr only under a macro that must stand before its first header. Its
   Dl_info has the members of ov_image. */
extern int ov_find_image(const void *address, struct ov_image *image) __asm__("dladdr");
#endif

#endif

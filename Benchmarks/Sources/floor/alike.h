#ifndef ALIKE_H
#define ALIKE_H

#include "floor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* The variant `alike`: the work of the library in C, by the calls to the engine that the library
   makes for it, and with what it promises besides. What Swift itself costs, such as counting
   references, is left out: it shows how much of a ratio the calls and promises are. It begins with
   a file that the library made. */

enum { most_readers = 4, usual_page = 4096 };

/* A connection that reads, with its kept statement. */
struct reader {
  sqlite3 *database;
  sqlite3_stmt *find;
  int64_t last_path_check;
};

/* A file that is open: its only descriptor beside the engine's, the writer, the readers. */
struct vault {
  const char *path;
  int held;
  dev_t device;
  ino_t inode;
  /* The key as the engine takes it is made anew for each connection; this is the raw one. */
  uint8_t *key;
  uint8_t salt[16];
  sqlite3 *writer;
  /* Read at every use without a lock: whether the file was removed, and which thread writes. */
  atomic_bool is_removed;
  atomic_uintptr_t holder;
  pthread_mutex_t gate;
  pthread_mutex_t pool;
  pthread_cond_t freed;
  struct reader *idle[most_readers];
  int idle_count;
  int in_use;
};

/* alike_opening.c: with words the key is derived, without them it is the common one. */
void open_vault(struct vault *vault, const char *path, const char *words);
void close_vault(struct vault *vault);

/* alike_recognising.c */
uint8_t *locked_memory(void);
void wipe(uint8_t *memory);
void derive_raw_key(const char *words, const uint8_t salt[16], uint8_t key[32]);
bool recognises(const uint8_t *head, size_t count, const uint8_t key[32], const uint8_t salt[16]);

/* alike_connecting.c */
sqlite3 *connect(const struct vault *vault, bool is_reader);
void register_functions(sqlite3 *database);
void disconnect(sqlite3 *database);

/* alike_settings.c */
void set_and_read_back(sqlite3 *database, bool is_reader);

/* alike_mean.c */
void register_mean(sqlite3 *database);

/* alike_using.c */
struct reader *take_reader(struct vault *vault);
void give_reader(struct vault *vault, struct reader *reader);
void begin_scope(struct vault *vault);
void end_scope(struct vault *vault);
void enter_gate(struct vault *vault);
void leave_gate(struct vault *vault);
void check_path(const struct vault *vault);

/* alike_rows.c: what a row becomes, with texts and bytes where the library keeps them. */
union kept_text {
  /* A text of up to 15 bytes, and how many they are. */
  struct {
    char text[15];
    uint8_t kind;
  } inside;
  /* A longer one in memory of its own; `kind` says so. */
  struct {
    char *start;
    uint32_t length;
    char unused[3];
    uint8_t kind;
  } outside;
};
enum { inside_length = 15, is_outside = 0xFF };
struct kept_object {
  int64_t id;
  union kept_text name, email, note;
  int64_t age;
  double score, joined;
  struct kept_bytes *avatar;
  bool has_note;
};
void take_row(sqlite3_stmt *statement, struct kept_object *object);
void let_go(struct kept_object *object);

/* alike_updating.c: a statement that is kept, with memory for a text bound to it. */
struct kept_statement {
  const char *sql;
  uint64_t hash;
  sqlite3_stmt *statement;
  char *arena;
};
uint64_t hash_of(const char *text);
sqlite3_stmt *find_statement(struct kept_statement *kept, const char *sql, uint64_t hash);
void keep_update(struct kept_statement *kept, sqlite3 *database);
void update_one(
  struct vault *vault, struct kept_statement *kept, const struct workload_person *person,
  int64_t id);

/* One function for each workload of the variant. */
void run_open_alike(const struct run *run);
void run_fetch_all_alike(const struct run *run);
void run_fetch_by_id_alike(const struct run *run);
void run_fetch_kept_alike(const struct run *run);
void run_lookup_alike(const struct run *run);
void run_update_alike(const struct run *run);
void run_mean_alike(const struct run *run);
void run_threads_alike(const struct run *run);

extern const char select_people[], select_all[];

#endif

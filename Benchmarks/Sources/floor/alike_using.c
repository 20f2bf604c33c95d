#include "alike.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// What must be known of a thread: the read scope that it is in, and what it holds.
struct thread_record {
  struct reader *last;
  struct vault *scope_of;
  struct reader *scope;
  int readers_held;
  int gates_held;
};

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_key(void) { pthread_key_create(&key, free); }

static struct thread_record *current(void) {
  pthread_once(&once, make_key);
  struct thread_record *record = pthread_getspecific(key);
  if (!record) {
    record = calloc(1, sizeof *record);
    pthread_setspecific(key, record);
  }
  return record;
}

// Alike: a removed file is not used.
static void check_usable(const struct vault *vault) {
  if (atomic_load_explicit(&vault->is_removed, memory_order_acquire)) {
    workload_fail(vault->path, "was removed");
  }
}

static bool is_writing(const struct vault *vault) {
  uintptr_t holder = atomic_load_explicit(&vault->holder, memory_order_relaxed);
  return holder == (uintptr_t)pthread_self();
}

// Alike: what is written into a file that was replaced would be lost.
void check_path(const struct vault *vault) {
  struct stat status;
  if (stat(vault->path, &status) != 0 || status.st_dev != vault->device
    || status.st_ino != vault->inode) {
    workload_fail(vault->path, "was replaced");
  }
}

// Alike: who reads relies for 50 ms on what it saw of the path, by a clock that costs next to
// nothing.
static void check_path_lately(const struct vault *vault, struct reader *reader) {
  struct timespec time;
#ifdef __linux__
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
#else
  clock_gettime(CLOCK_MONOTONIC, &time);
#endif
  int64_t now = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  if (reader->last_path_check && now - reader->last_path_check < 50000000) return;
  check_path(vault);
  reader->last_path_check = now;
}

static struct reader *make_reader(struct vault *vault) {
  struct reader *reader = calloc(1, sizeof *reader);
  reader->database = connect(vault, true);
  register_functions(reader->database);
  reader->find = prepare(reader->database, select_people);
  return reader;
}

// Called under the lock: the idle connection that the thread used last, else any.
static struct reader *take_idle(struct vault *vault, struct thread_record *record) {
  if (vault->idle_count == 0) return NULL;
  int chosen = vault->idle_count - 1;
  for (int i = 0; i < chosen; i++) {
    if (vault->idle[i] == record->last) chosen = i;
  }
  struct reader *reader = vault->idle[chosen];
  vault->idle[chosen] = vault->idle[--vault->idle_count];
  return reader;
}

// Alike: connections that read are a pool under a lock, opened as needed; one thread at a time uses
// each, mostly the one that used it last.
static struct reader *take_from_pool(struct vault *vault, struct thread_record *record) {
  pthread_mutex_lock(&vault->pool);
  while (vault->idle_count == 0 && vault->in_use == most_readers) {
    pthread_cond_wait(&vault->freed, &vault->pool);
  }
  struct reader *reader = take_idle(vault, record);
  vault->in_use++;
  pthread_mutex_unlock(&vault->pool);
  if (!reader) reader = make_reader(vault);
  return record->last = reader;
}

// Alike: the connection of the scope that the thread is in, else one of the pool, with the checks
// of each use.
struct reader *take_reader(struct vault *vault) {
  if (is_writing(vault)) workload_fail("a read", "inside a transaction");
  check_usable(vault);
  struct thread_record *record = current();
  struct reader *reader =
    record->scope && record->scope_of == vault ? record->scope : NULL;
  if (!reader) {
    reader = take_from_pool(vault, record);
    record->readers_held++;
  }
  check_usable(vault);
  check_path_lately(vault, reader);
  return reader;
}

void give_reader(struct vault *vault, struct reader *reader) {
  struct thread_record *record = current();
  if (record->scope == reader) return;
  record->readers_held--;
  pthread_mutex_lock(&vault->pool);
  vault->in_use--;
  vault->idle[vault->idle_count++] = reader;
  pthread_cond_signal(&vault->freed);
  pthread_mutex_unlock(&vault->pool);
}

// Alike: a scope takes its snapshot at once.
void begin_scope(struct vault *vault) {
  struct reader *reader = take_reader(vault);
  struct thread_record *record = current();
  record->scope = reader;
  record->scope_of = vault;
  execute(reader->database, "BEGIN DEFERRED; SELECT 1 FROM sqlite_master LIMIT 1");
}

void end_scope(struct vault *vault) {
  struct thread_record *record = current();
  struct reader *reader = record->scope;
  execute(reader->database, "COMMIT");
  record->scope = NULL;
  give_reader(vault, reader);
}

// Alike: the thread that writes may enter again, and others wait.
void enter_gate(struct vault *vault) {
  if (!is_writing(vault)) {
    pthread_mutex_lock(&vault->gate);
    atomic_store_explicit(&vault->holder, (uintptr_t)pthread_self(), memory_order_relaxed);
    pthread_mutex_unlock(&vault->gate);
    current()->gates_held++;
  }
  check_usable(vault);
}

void leave_gate(struct vault *vault) {
  current()->gates_held--;
  pthread_mutex_lock(&vault->gate);
  atomic_store_explicit(&vault->holder, 0, memory_order_relaxed);
  pthread_mutex_unlock(&vault->gate);
}

#include "alike.h"

#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

// Alike: what a list of so many objects will need is told by their numbers, and taken at once.
enum { sample = 1024 };
static const char select_last[] = "SELECT max(\"Person\".\"objectID\") FROM \"Person\"";

struct list {
  size_t count, capacity;
  struct kept_object *objects;
};

struct job {
  struct vault vault;
  int64_t rows;
};

static void reserve(struct list *list, size_t capacity) {
  list->capacity = capacity;
  list->objects = realloc(list->objects, capacity * sizeof *list->objects);
}

// Alike: memory for many is asked for in large pages.
static void prefer_large_pages(const struct list *list) {
#ifdef __linux__
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)list->objects;
  uintptr_t first = (start + page - 1) & ~(page - 1);
  uintptr_t end = (start + list->capacity * sizeof *list->objects) & ~(page - 1);
  if (end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
}

static void reserve_all(struct list *list, sqlite3 *database) {
  int64_t first = list->objects[0].id, seen = list->objects[sample - 1].id;
  double step = (double)(seen - first) / (sample - 1);
  double count = (double)(number(database, select_last) - first) / step * 1.125 + 2;
  reserve(list, (size_t)count);
  prefer_large_pages(list);
}

static int64_t fetch_all(void *context) {
  struct job *job = context;
  struct reader *reader = take_reader(&job->vault);
  sqlite3_stmt *statement = prepare(reader->database, select_all);
  struct list list = {0};
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (list.count == list.capacity) reserve(&list, list.capacity ? list.capacity * 2 : 4);
    if (list.count == sample) reserve_all(&list, reader->database);
    take_row(statement, &list.objects[list.count++]);
  }
  sqlite3_finalize(statement);
  give_reader(&job->vault, reader);
  int64_t sum = 0;
  for (size_t i = 0; i < list.count; i++) {
    sum += list.objects[i].age;
    let_go(&list.objects[i]);
  }
  free(list.objects);
  return sum;
}

void run_fetch_all_alike(const struct run *run) {
  struct job job = {.rows = run->rows};
  open_vault(&job.vault, run->path, NULL);
  struct reader *reader = take_reader(&job.vault);
  warm(reader->database);
  give_reader(&job.vault, reader);
  int64_t check = workload_measured(fetch_all, &job);
  workload_tell(run->workload, job.rows, check, 0);
  close_vault(&job.vault);
}

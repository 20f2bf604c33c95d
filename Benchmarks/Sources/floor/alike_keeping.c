#include "alike.h"

#include <stdlib.h>
#include <string.h>

// Alike: what a read scope has read is kept by its objectID and handed out as a copy. The copy shares
// texts and bytes with what is kept, so that whoever has them is counted; C can do no less, unless it
// copies the bytes themselves.

// A text of up to 15 bytes stands inside, as in the library; a longer one behind a count.
union shared_text {
  struct {
    uint64_t length;
    char *counted;
  } outside;
  char inside[16];
};

struct shared_person {
  union shared_text name, email;
  int64_t age;
  double score, joined;
  struct kept_bytes *avatar;
  union shared_text note;
  int64_t id;
  bool has_name_outside, has_email_outside, has_note_outside;
};

// Alike: keys and objects of a table stand apart, at places that hashes of the keys give.
struct kept_people {
  size_t capacity;
  uint64_t *is_taken;
  int64_t *ids;
  struct shared_person *people;
};

struct job {
  struct vault vault;
  int64_t rows;
  int64_t count;
  struct kept_people kept;
};

static size_t place(const struct kept_people *kept, int64_t id) {
  uint64_t mixed = (uint64_t)id * 0x9E3779B97F4A7C15;
  size_t index = (size_t)(mixed >> 32) & (kept->capacity - 1);
  while (kept->is_taken[index / 64] >> (index % 64) & 1 && kept->ids[index] != id) {
    index = (index + 1) & (kept->capacity - 1);
  }
  return index;
}

static bool share(union shared_text *shared, const struct kept_text *text) {
  if (text->length <= 15) {
    memcpy(shared->inside, text->inside, sizeof shared->inside);
    return false;
  }
  shared->outside.length = text->length;
  shared->outside.counted = text->start;
  return true;
}

static void keep(struct kept_people *kept, sqlite3_stmt *statement) {
  struct kept_object object;
  take_row(statement, &object);
  struct shared_person person = {
    .age = object.age, .score = object.score, .joined = object.joined, .avatar = object.avatar,
    .id = object.id};
  person.has_name_outside = share(&person.name, &object.name);
  person.has_email_outside = share(&person.email, &object.email);
  person.has_note_outside = object.has_note && share(&person.note, &object.note);
  size_t index = place(kept, person.id);
  kept->is_taken[index / 64] |= (uint64_t)1 << (index % 64);
  kept->ids[index] = person.id;
  kept->people[index] = person;
}

// The counts stand where the texts and bytes begin.
static void count(const struct shared_person *person, int64_t change) {
  void *counted[] = {
    person->has_name_outside ? person->name.outside.counted : NULL,
    person->has_email_outside ? person->email.outside.counted : NULL, person->avatar,
    person->has_note_outside ? person->note.outside.counted : NULL};
  for (int i = 0; i < 4; i++) {
    if (!counted[i]) continue;
    atomic_fetch_add_explicit((_Atomic int64_t *)counted[i], change, memory_order_acq_rel);
  }
}

static bool find(const struct kept_people *kept, int64_t id, struct shared_person *copy) {
  size_t index = place(kept, id);
  if (!(kept->is_taken[index / 64] >> (index % 64) & 1)) return false;
  *copy = kept->people[index];
  count(copy, 1);
  return true;
}

static int64_t fetch_kept(void *context) {
  struct job *job = context;
  int64_t sum = 0;
  for (int64_t k = 0; k < job->count; k++) {
    struct reader *reader = take_reader(&job->vault);
    struct shared_person copy;
    if (find(&job->kept, workload_choice(k, job->rows) + 1, &copy)) {
      sum += copy.age;
      count(&copy, -1);
    }
    give_reader(&job->vault, reader);
  }
  return sum;
}

void run_fetch_kept_alike(const struct run *run) {
  struct job job = {.rows = run->rows};
  job.count = workload_size(workload_fetches, run->rows);
  open_vault(&job.vault, run->path, NULL);
  struct kept_people *kept = &job.kept;
  kept->capacity = 64;
  while (kept->capacity * 3 / 4 < (size_t)run->rows) kept->capacity *= 2;
  kept->is_taken = calloc(kept->capacity / 64, sizeof *kept->is_taken);
  kept->ids = malloc(kept->capacity * sizeof *kept->ids);
  kept->people = malloc(kept->capacity * sizeof *kept->people);
  begin_scope(&job.vault);
  struct reader *reader = take_reader(&job.vault);
  sqlite3_stmt *statement = prepare(reader->database, select_all);
  while (sqlite3_step(statement) == SQLITE_ROW) keep(kept, statement);
  sqlite3_finalize(statement);
  give_reader(&job.vault, reader);
  int64_t check = workload_measured(fetch_kept, &job);
  workload_tell(run->workload, job.count, check, 0);
  end_scope(&job.vault);
  close_vault(&job.vault);
}

#include "floor.h"

#include <stdlib.h>
#include <string.h>

const char columns[] = "name, email, age, score, joined, avatar, note, objectID";

static void bind_text(sqlite3_stmt *statement, int position, const char *text) {
  sqlite3_bind_text(statement, position, text, (int)strlen(text), SQLITE_STATIC);
}

void bind_person(sqlite3_stmt *statement, int position, const struct workload_person *person) {
  bind_text(statement, position, person->name);
  bind_text(statement, position + 1, person->email);
  sqlite3_bind_int64(statement, position + 2, person->age);
  sqlite3_bind_double(statement, position + 3, person->score);
  sqlite3_bind_double(statement, position + 4, person->joined);
  sqlite3_bind_blob(statement, position + 5, person->avatar, 64, SQLITE_STATIC);
  if (person->has_note) {
    bind_text(statement, position + 6, person->note);
  } else {
    sqlite3_bind_null(statement, position + 6);
  }
}

static char *copy_text(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  if (!text) return NULL;
  size_t length = (size_t)sqlite3_column_bytes(statement, column);
  char *copy = malloc(length + 1);
  memcpy(copy, text, length + 1);
  return copy;
}

void read_object(sqlite3_stmt *statement, struct workload_object *object) {
  object->name = copy_text(statement, 0);
  object->email = copy_text(statement, 1);
  object->age = sqlite3_column_int64(statement, 2);
  object->score = sqlite3_column_double(statement, 3);
  object->joined = sqlite3_column_double(statement, 4);
  const void *bytes = sqlite3_column_blob(statement, 5);
  object->avatar_length = sqlite3_column_bytes(statement, 5);
  object->avatar = malloc((size_t)object->avatar_length);
  memcpy(object->avatar, bytes, (size_t)object->avatar_length);
  object->note = copy_text(statement, 6);
  object->id = sqlite3_column_int64(statement, 7);
}

void run_once(sqlite3 *database, sqlite3_stmt *statement) {
  check_code(database, sqlite3_step(statement), SQLITE_DONE);
  sqlite3_reset(statement);
}

#include "alike.h"

#include <stdlib.h>
#include <string.h>

enum { counting_words = 16, text_header = 32 };

// What holds bytes is counted by those who share it, and the bytes are apart.
struct kept_bytes {
  char counts[counting_words];
  uint8_t *bytes;
  int64_t length, capacity, offset;
  void *deallocator[2];
  bool needs_zeros;
};

// Alike: a text is known to be UTF-8. Eight bytes at a time while they are ASCII.
static bool is_utf8(const unsigned char *text, size_t length) {
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t word;
    memcpy(&word, text + i, sizeof word);
    if (word & 0x8080808080808080) break;
  }
  while (i < length) {
    unsigned char first = text[i++];
    int more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first >= 0x80 && (first < 0xC2 || first > 0xF4)) return false;
    for (int k = 0; k < more; k++) {
      if (i == length || (text[i] & 0xC0) != 0x80) return false;
      unsigned char second = text[i++];
      bool is_bad = k == 0
        && ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)
            || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F));
      if (is_bad) return false;
    }
  }
  return true;
}

// Alike: a text longer than 15 bytes has memory of its own, behind a header of 32.
static bool take_text(sqlite3_stmt *statement, int column, union kept_text *text) {
  const unsigned char *start = sqlite3_column_text(statement, column);
  if (!start) return false;
  size_t length = (size_t)sqlite3_column_bytes(statement, column);
  if (!is_utf8(start, length)) workload_fail("text", "is no UTF-8");
  if (length <= inside_length) {
    memcpy(text->inside.text, start, length);
    text->inside.kind = (uint8_t)length;
  } else {
    char *memory = malloc(text_header + length + 1);
    memset(memory, 0, text_header);
    memcpy(memory + text_header, start, length);
    memory[text_header + length] = 0;
    text->outside.start = memory;
    text->outside.length = (uint32_t)length;
    text->outside.kind = is_outside;
  }
  return true;
}

static void let_text_go(union kept_text *text) {
  if (text->outside.kind == is_outside) free(text->outside.start);
}

// Alike: two allocations for bytes, as `Data` takes; the storage class is asked for each time.
static struct kept_bytes *take_bytes(sqlite3_stmt *statement, int column) {
  if (sqlite3_column_type(statement, column) != SQLITE_BLOB) workload_fail("bytes", "are none");
  const void *start = sqlite3_column_blob(statement, column);
  size_t length = (size_t)sqlite3_column_bytes(statement, column);
  struct kept_bytes *kept = malloc(sizeof *kept);
  *kept = (struct kept_bytes){
    .bytes = malloc(length), .length = (int64_t)length, .capacity = (int64_t)length};
  memcpy(kept->bytes, start, length);
  return kept;
}

// Alike: the columns in the library's order, with the calls that it makes for each.
void take_row(sqlite3_stmt *statement, struct kept_object *object) {
  object->has_note = false;
  if (!take_text(statement, 0, &object->name) || !take_text(statement, 1, &object->email)) {
    workload_fail("text", "is none");
  }
  object->age = sqlite3_column_int64(statement, 2);
  object->score = sqlite3_column_double(statement, 3);
  object->joined = sqlite3_column_double(statement, 4);
  object->avatar = take_bytes(statement, 5);
  object->has_note = take_text(statement, 6, &object->note);
  bool has_id = sqlite3_column_type(statement, 7) != SQLITE_NULL;
  object->id = has_id ? sqlite3_column_int64(statement, 7) : 0;
}

void let_go(struct kept_object *object) {
  let_text_go(&object->name);
  let_text_go(&object->email);
  if (object->has_note) let_text_go(&object->note);
  free(object->avatar->bytes);
  free(object->avatar);
}

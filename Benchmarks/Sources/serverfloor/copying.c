#include "serverfloor.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

// The bytes that are sent at once.
enum { enough = 64 * 1024 };

static void add(struct buffer *buffer, const void *bytes, size_t length) {
  if (buffer->capacity - buffer->length < length) {
    buffer->capacity = 2 * (buffer->capacity + length);
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
  }
  memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
}

void begin_copy(PGconn *server, struct buffer *buffer, const char *sql) {
  PGresult *result = PQexec(server, sql);
  expect(server, result, PGRES_COPY_IN);
  PQclear(result);
  buffer->length = 0;
  add(buffer, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
}

void add_count(struct buffer *buffer, int count) {
  uint16_t bits = htobe16((uint16_t)count);
  add(buffer, &bits, 2);
}

static void add_bytes(struct buffer *buffer, const void *bytes, size_t length) {
  uint32_t bits = htobe32((uint32_t)length);
  add(buffer, &bits, 4);
  add(buffer, bytes, length);
}

void add_integer(struct buffer *buffer, int64_t value) {
  uint64_t bits = htobe64((uint64_t)value);
  add_bytes(buffer, &bits, 8);
}

static void add_real(struct buffer *buffer, double value) {
  int64_t bits;
  memcpy(&bits, &value, 8);
  add_integer(buffer, bits);
}

void add_text(struct buffer *buffer, const char *text) { add_bytes(buffer, text, strlen(text)); }

void add_person(struct buffer *buffer, const struct workload_person *person) {
  add_count(buffer, 7);
  add_text(buffer, person->name);
  add_text(buffer, person->email);
  add_integer(buffer, person->age);
  add_real(buffer, person->score);
  add_real(buffer, person->joined);
  add_bytes(buffer, person->avatar, 64);
  if (person->has_note) {
    add_text(buffer, person->note);
  } else {
    add(buffer, "\377\377\377\377", 4);
  }
}

static void send_all(PGconn *server, struct buffer *buffer) {
  if (PQputCopyData(server, buffer->bytes, (int)buffer->length) != 1) {
    workload_fail("copy", PQerrorMessage(server));
  }
  buffer->length = 0;
}

void send_copy(PGconn *server, struct buffer *buffer) {
  if (buffer->length >= enough) send_all(server, buffer);
}

void end_copy(PGconn *server, struct buffer *buffer) {
  add_count(buffer, -1);
  send_all(server, buffer);
  if (PQputCopyEnd(server, NULL) != 1) workload_fail("copy", PQerrorMessage(server));
  PGresult *result = PQgetResult(server);
  expect(server, result, PGRES_COMMAND_OK);
  PQclear(result);
  PQclear(PQgetResult(server));
}

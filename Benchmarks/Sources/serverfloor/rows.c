#include "serverfloor.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

// The numbers of the types int8, float8, text and bytea (pg_type.dat of PostgreSQL).
const Oid person_types[7] = {25, 25, 20, 701, 701, 17, 25};

const char columns[] = "name, email, age, score, joined, avatar, note, \"objectID\"";

int64_t integer_at(const PGresult *result, int row, int column) {
  uint64_t bits;
  memcpy(&bits, PQgetvalue(result, row, column), 8);
  return (int64_t)be64toh(bits);
}

static double real_at(const PGresult *result, int row, int column) {
  int64_t bits = integer_at(result, row, column);
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

char *text_at(const PGresult *result, int row, int column) {
  if (PQgetisnull(result, row, column)) return NULL;
  size_t length = (size_t)PQgetlength(result, row, column);
  char *copy = malloc(length + 1);
  memcpy(copy, PQgetvalue(result, row, column), length + 1);
  return copy;
}

void set_text(struct values *values, int position, const char *text, int length) {
  values->pointers[position] = text;
  values->lengths[position] = length;
  values->formats[position] = 1;
}

void set_integer(struct values *values, int position, int64_t value) {
  uint64_t bits = htobe64((uint64_t)value);
  memcpy(values->numbers[position], &bits, 8);
  set_text(values, position, values->numbers[position], 8);
}

void set_real(struct values *values, int position, double value) {
  int64_t bits;
  memcpy(&bits, &value, 8);
  set_integer(values, position, bits);
}

void set_person(struct values *values, const struct workload_person *person) {
  set_text(values, 0, person->name, (int)strlen(person->name));
  set_text(values, 1, person->email, (int)strlen(person->email));
  set_integer(values, 2, person->age);
  set_real(values, 3, person->score);
  set_real(values, 4, person->joined);
  set_text(values, 5, (const char *)person->avatar, 64);
  set_text(values, 6, person->has_note ? person->note : NULL, (int)strlen(person->note));
}

void read_object(const PGresult *result, int row, struct workload_object *object) {
  object->name = text_at(result, row, 0);
  object->email = text_at(result, row, 1);
  object->age = integer_at(result, row, 2);
  object->score = real_at(result, row, 3);
  object->joined = real_at(result, row, 4);
  object->avatar_length = PQgetlength(result, row, 5);
  object->avatar = malloc((size_t)object->avatar_length);
  memcpy(object->avatar, PQgetvalue(result, row, 5), (size_t)object->avatar_length);
  object->note = text_at(result, row, 6);
  object->id = integer_at(result, row, 7);
}

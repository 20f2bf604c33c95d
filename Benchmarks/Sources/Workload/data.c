#include "workload.h"

#include <stdio.h>
#include <string.h>

static uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static void put_letters(char *text, int count, uint64_t *state) {
  uint64_t bits = 0;
  for (int i = 0; i < count; i++) {
    if (i % 12 == 0) bits = *state = mixed(*state);
    text[i] = (char)('a' + bits % 26);
    bits /= 26;
  }
}

void workload_person(int64_t number, struct workload_person *person) {
  uint64_t state = mixed((uint64_t)number);
  int length = 16 + (int)(state % 9);
  put_letters(person->name, length, &state);
  person->name[0] -= 'a' - 'A';
  person->name[length / 2] = ' ';
  person->name[length] = 0;
  put_letters(person->email, 16, &state);
  memcpy(person->email + 16, "@example.org", 13);
  state = mixed(state);
  person->age = (int64_t)(state % 100);
  person->score = (double)(state / 100 % 1000000) / 1000.0;
  person->joined = 1500000000.0 + (double)(mixed(state) % 200000000);
  for (int i = 0; i < 64; i += 8) {
    state = mixed(state);
    memcpy(person->avatar + i, &state, 8);
  }
  person->has_note = number % 3 == 0;
  if (person->has_note) {
    put_letters(person->note, 30, &state);
    person->note[30] = 0;
  } else {
    person->note[0] = 0;
  }
}

void workload_pet(int64_t number, char name[32]) {
  uint64_t state = mixed((uint64_t)number + 77);
  put_letters(name, 12, &state);
  name[12] = 0;
}

int64_t workload_choice(int64_t k, int64_t count) {
  return (int64_t)(mixed((uint64_t)k * 3 + 1) % (uint64_t)count);
}

int64_t workload_size(enum workload_size size, int64_t rows) {
  static const int64_t sizes[] = {2000, 50000, 10000, 200, 50000, 5000, 50, 20, 10000};
  // Queries and counts already take long if there are many rows.
  bool is_bounded = size == workload_queries || size == workload_counts
    || size == workload_aggregates;
  if (is_bounded || (rows > 100000 && size == workload_transactions)) return sizes[size];
  int64_t scaled = sizes[size] * rows / 100000;
  return scaled > 0 ? scaled : 1;
}

const uint8_t workload_key[32] = {
  0x4B, 0x01, 0x9C, 0x2E, 0x77, 0xA0, 0x5D, 0x13, 0xE8, 0x36, 0xC4, 0x59, 0x0F, 0xB2, 0x81, 0x6A,
  0xD3, 0x24, 0xF9, 0x40, 0x9E, 0x15, 0x68, 0xCB, 0x32, 0x87, 0x5C, 0xE1, 0x0A, 0xBD, 0x76, 0x43};

const uint8_t workload_other_key[32] = {
  0x5B, 0x11, 0x8C, 0x3E, 0x67, 0xB0, 0x4D, 0x03, 0xF8, 0x26, 0xD4, 0x49, 0x1F, 0xA2, 0x91, 0x7A,
  0xC3, 0x34, 0xE9, 0x50, 0x8E, 0x05, 0x78, 0xDB, 0x22, 0x97, 0x4C, 0xF1, 0x1A, 0xAD, 0x66, 0x53};

const char workload_words[] = "correct horse battery staple";

#include "alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The exact sum of doubles: a fixed-point number as wide as all of them, of 32-bit digits in 64
// bits each. Values about as large as the first are added in 128 bits, which most sums never leave.
enum { digit_count = 70, near_places = 64 };

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

struct sum {
  int64_t count;
  wide integers;
  bool is_begun;
  int64_t digits[digit_count];
  int64_t additions;
  wide near;
  int64_t near_place;
  bool has_infinity, has_minus_infinity, has_nan;
};

static void carry(struct sum *sum) {
  sum->additions = 0;
  for (int i = 0; i < digit_count - 1; i++) {
    int64_t over = sum->digits[i] >> 32;
    sum->digits[i] -= over * ((int64_t)1 << 32);
    sum->digits[i + 1] += over;
  }
}

static void add_shifted(struct sum *sum, wide value, int64_t shift) {
  unsigned_wide rest = value < 0 ? -(unsigned_wide)value : (unsigned_wide)value;
  for (; rest; rest >>= 32, shift += 32) {
    if (sum->additions == 1 << 30) carry(sum);
    sum->additions++;
    unsigned_wide part = (rest & 0xFFFFFFFF) << (shift % 32);
    for (int64_t i = shift / 32; part; i++, part >>= 32) {
      int64_t digit = (int64_t)(part & 0xFFFFFFFF);
      sum->digits[i] += value < 0 ? -digit : digit;
    }
  }
}

static void add_near(struct sum *sum) {
  add_shifted(sum, sum->near, sum->near_place);
  sum->near = 0;
}

static void begin(struct sum *sum, int64_t place) {
  sum->is_begun = true;
  sum->near_place = place > near_places / 2 ? place - near_places / 2 : 0;
}

static void add(struct sum *sum, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int64_t exponent = bits >> 52 & 0x7FF;
  int64_t fraction = (int64_t)(bits & ((uint64_t)1 << 52) - 1);
  bool is_negative = bits >> 63;
  sum->count++;
  if (exponent == 0x7FF) {
    sum->is_begun = true;
    if (fraction) sum->has_nan = true;
    else if (is_negative) sum->has_minus_infinity = true;
    else sum->has_infinity = true;
    return;
  }
  int64_t significand = fraction | (exponent ? (int64_t)1 << 52 : 0);
  int64_t place = (exponent ? exponent : 1) - 1;
  if (!sum->is_begun) begin(sum, place);
  uint64_t above = (uint64_t)(place - sum->near_place);
  wide number = is_negative ? -significand : significand;
  if (above > near_places) {
    add_shifted(sum, number, place);
    return;
  }
  wide part = (wide)((unsigned_wide)number << above), next;
  if (__builtin_add_overflow(sum->near, part, &next)) {
    add_near(sum);
    next = part;
  }
  sum->near = next;
}

static uint64_t bits_from(const struct sum *sum, int start, int count) {
  unsigned_wide value = 0;
  for (int i = 0; i < 3 && start / 32 + i < digit_count; i++) {
    value |= (unsigned_wide)(uint64_t)sum->digits[start / 32 + i] << (32 * i);
  }
  return (uint64_t)(value >> start % 32 & ((unsigned_wide)1 << count) - 1);
}

static bool has_below(const struct sum *sum, int end) {
  for (int i = 0; i < end / 32; i++) {
    if (sum->digits[i]) return true;
  }
  return sum->digits[end / 32] & (((int64_t)1 << end % 32) - 1);
}

// Of the two nearest doubles the one with an even last digit.
static double rounded(struct sum *sum) {
  add_near(sum);
  carry(sum);
  bool is_negative = sum->digits[digit_count - 1] < 0;
  for (int i = 0; is_negative && i < digit_count; i++) sum->digits[i] = -sum->digits[i];
  if (is_negative) carry(sum);
  int last = digit_count - 1;
  while (last >= 0 && !sum->digits[last]) last--;
  if (last < 0) return 0;
  int highest = last * 32 + 63 - __builtin_clzll((uint64_t)sum->digits[last]);
  uint64_t pattern;
  if (highest <= 52) {
    pattern = bits_from(sum, 0, 53);
  } else {
    int dropped = highest - 52;
    uint64_t significand = bits_from(sum, dropped, 53);
    bool is_half = bits_from(sum, dropped - 1, 1);
    if (is_half && (significand & 1 || has_below(sum, dropped - 1))) significand++;
    pattern = ((uint64_t)dropped << 52) + significand;
  }
  double magnitude;
  memcpy(&magnitude, &pattern, sizeof magnitude);
  return is_negative ? -magnitude : magnitude;
}

// Alike: the sum of what the engine hands over value by value, kept between its calls.
static void step(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  if (!sqlite3_user_data(context)) return;
  struct sum **slot = sqlite3_aggregate_context(context, sizeof *slot);
  if (!*slot) *slot = calloc(1, sizeof **slot);
  switch (sqlite3_value_type(values[0])) {
    case SQLITE_FLOAT: add(*slot, sqlite3_value_double(values[0])); break;
    case SQLITE_INTEGER:
      (*slot)->count++;
      (*slot)->integers += sqlite3_value_int64(values[0]);
      break;
    default: break;
  }
}

static void finish(sqlite3_context *context) {
  struct sum **slot = sqlite3_aggregate_context(context, 0);
  struct sum *sum = slot ? *slot : NULL;
  if (!sum || !sum->count || sum->has_nan || (sum->has_infinity && sum->has_minus_infinity)) {
    sqlite3_result_null(context);
  } else if (sum->has_infinity || sum->has_minus_infinity) {
    sqlite3_result_double(context, sum->has_infinity ? INFINITY : -INFINITY);
  } else {
    if (sum->is_begun && sum->integers) add_shifted(sum, sum->integers, 1074);
    double total = sum->is_begun ? rounded(sum) : (double)sum->integers;
    sqlite3_result_double(context, total / (double)sum->count);
  }
  free(sum);
}

void register_mean(sqlite3 *database) {
  int code = sqlite3_create_function_v2(
    database, "ov_mean", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, malloc(48), NULL, step, finish,
    free);
  check_code(database, code, SQLITE_OK);
}

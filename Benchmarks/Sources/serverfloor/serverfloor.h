#ifndef SERVERFLOOR_H
#define SERVERFLOOR_H

#include <libpq-fe.h>
#include <workload.h>

/* The arguments of a run. */
struct run {
  const char *workload;
  const char *address;
  int64_t rows;
};

/* The values of the parameters of a statement, in the binary format. */
struct values {
  const char *pointers[8];
  int lengths[8];
  int formats[8];
  char numbers[8][8];
};

/* A buffer that grows. */
struct buffer {
  char *bytes;
  size_t length;
  size_t capacity;
};

extern const char columns[];

/* connection.c */
PGconn *connect_to(const char *address);
void expect(PGconn *server, PGresult *result, ExecStatusType status);
void execute(PGconn *server, const char *sql);
int64_t number(PGconn *server, const char *sql);
void prepare(PGconn *server, const char *name, const char *sql, int count, const Oid *types);
PGresult *run_prepared(PGconn *server, const char *name, int count, const struct values *values);
// Reads the persons and their index once, so that their pages are in the memory of the server.
void warm(PGconn *server);

/* rows.c */
extern const Oid person_types[7];
int64_t integer_at(const PGresult *result, int row, int column);
char *text_at(const PGresult *result, int row, int column);
void set_integer(struct values *values, int position, int64_t value);
void set_real(struct values *values, int position, double value);
void set_text(struct values *values, int position, const char *text, int length);
void set_person(struct values *values, const struct workload_person *person);
void read_object(const PGresult *result, int row, struct workload_object *object);

/* copying.c: COPY in the binary format. */
void begin_copy(PGconn *server, struct buffer *buffer, const char *sql);
void add_count(struct buffer *buffer, int count);
void add_integer(struct buffer *buffer, int64_t value);
void add_text(struct buffer *buffer, const char *text);
void add_person(struct buffer *buffer, const struct workload_person *person);
// Sends the buffer if it is long enough.
void send_copy(PGconn *server, struct buffer *buffer);
void end_copy(PGconn *server, struct buffer *buffer);

/* One function for each group of workloads; each prints its result. */
void run_prepare(const struct run *run);
void run_insert(const struct run *run);
void run_small_transactions(const struct run *run);
void run_pets(const struct run *run);
void run_fetch_all(const struct run *run);
void run_fetch_by_id(const struct run *run);
void run_lookup(const struct run *run);
void run_condition(const struct run *run);
void run_update(const struct run *run);
void run_remove(const struct run *run);
void run_threads(const struct run *run);
void run_owned(const struct run *run);

void insert_pets(PGconn *server, int64_t owners);

#endif

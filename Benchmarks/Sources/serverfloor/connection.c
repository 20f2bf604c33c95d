#include "serverfloor.h"

#include <stdlib.h>

PGconn *connect_to(const char *address) {
  PGconn *server = PQconnectdb(address);
  if (PQstatus(server) != CONNECTION_OK) workload_fail("connect", PQerrorMessage(server));
  return server;
}

void expect(PGconn *server, PGresult *result, ExecStatusType status) {
  if (PQresultStatus(result) != status) {
    workload_fail(PQresStatus(PQresultStatus(result)), PQerrorMessage(server));
  }
}

void execute(PGconn *server, const char *sql) {
  PGresult *result = PQexec(server, sql);
  expect(server, result, PGRES_COMMAND_OK);
  PQclear(result);
}

int64_t number(PGconn *server, const char *sql) {
  PGresult *result = PQexec(server, sql);
  expect(server, result, PGRES_TUPLES_OK);
  int64_t number = atoll(PQgetvalue(result, 0, 0));
  PQclear(result);
  return number;
}

void prepare(PGconn *server, const char *name, const char *sql, int count, const Oid *types) {
  PGresult *result = PQprepare(server, name, sql, count, types);
  expect(server, result, PGRES_COMMAND_OK);
  PQclear(result);
}

PGresult *run_prepared(PGconn *server, const char *name, int count, const struct values *values) {
  return PQexecPrepared(
    server, name, count, values->pointers, values->lengths, values->formats, 1);
}

void warm(PGconn *server) {
  number(server, "SELECT sum(length(email) + length(avatar)) FROM \"Person\"");
  number(server, "SELECT count(*) FROM \"Person\" WHERE email > ''");
}

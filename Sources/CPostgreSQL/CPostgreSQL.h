#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <libpq-fe.h>

// The status of a result with several rows of more, from libpq 17 on.
static const ExecStatusType ov_tuples_chunk = (ExecStatusType)12;

// libpq has it from version 17 on. On Linux, the version that the program finds when it starts
// decides, not the one whose headers it was compiled with.
#ifdef __ELF__
extern int PQsetChunkedRowsMode(PGconn *conn, int chunkSize) __attribute__((weak));
#endif

// Asks for the rows of the statement that was sent last while they arrive: in results of up to
// `count` rows, or, from an older libpq, of one row. Returns 1 if it succeeded.
static inline int ov_receive_rows(PGconn *server, int count) {
#ifdef __ELF__
  if (PQsetChunkedRowsMode) return PQsetChunkedRowsMode(server, count);
#elif defined(LIBPQ_HAS_CHUNK_MODE)
  return PQsetChunkedRowsMode(server, count);
#endif
  return PQsetSingleRowMode(server);
}

#endif

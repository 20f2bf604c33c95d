#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <libpq-fe.h>

// Functions of libpq 17. On Linux, the version that the program finds when it starts decides whether
// they are there, not the one whose headers it was compiled with.
#ifdef LIBPQ_HAS_ASYNC_CANCEL
typedef PGcancelConn ov_protected_cancel;
#else
typedef struct ov_protected_cancel ov_protected_cancel;
#endif
#ifdef __ELF__
#define OV_NEWER(function) (function != NULL)
extern int PQsetChunkedRowsMode(PGconn *conn, int chunkSize) __attribute__((weak));
extern ov_protected_cancel *PQcancelCreate(PGconn *conn) __attribute__((weak));
extern int PQcancelBlocking(ov_protected_cancel *cancelConn) __attribute__((weak));
extern void PQcancelFinish(ov_protected_cancel *cancelConn) __attribute__((weak));
#elif defined(LIBPQ_HAS_CHUNK_MODE) && defined(LIBPQ_HAS_ASYNC_CANCEL)
#define OV_NEWER(function) 1
#else
#define OV_NEWER(function) 0
#define PQsetChunkedRowsMode(conn, count) 0
#define PQcancelCreate(conn) NULL
#define PQcancelBlocking(cancel) 0
#define PQcancelFinish(cancel) ((void)0)
#endif

// The status of a result with some of many rows, from libpq 17 on.
static const ExecStatusType ov_tuples_chunk = (ExecStatusType)12;

// Asks for the rows of the statement that was sent last while they arrive: in results of up to
// `count` rows, or, from an older libpq, of one row. Returns 1 if it succeeded.
static inline int ov_receive_rows(PGconn *server, int count) {
  if (OV_NEWER(PQsetChunkedRowsMode)) return PQsetChunkedRowsMode(server, count);
  return PQsetSingleRowMode(server);
}

// A request to cancel: with the protection of the connection that it is for, or, with an older
// libpq, without any.
typedef struct {
  ov_protected_cancel *protected_request;
  PGcancel *plain_request;
} ov_cancel;

static inline ov_cancel ov_cancel_create(PGconn *server) {
  ov_cancel request = {NULL, NULL};
  if (OV_NEWER(PQcancelCreate)) {
    request.protected_request = PQcancelCreate(server);
  } else {
    request.plain_request = PQgetCancel(server);
  }
  return request;
}

// Sends a request, waits until the server has received it, and frees the request.
static inline void ov_cancel_send(ov_cancel request) {
  char message[256];
  if (request.protected_request) {
    PQcancelBlocking(request.protected_request);
    PQcancelFinish(request.protected_request);
  }
  if (request.plain_request) {
    PQcancel(request.plain_request, message, sizeof message);
    PQfreeCancel(request.plain_request);
  }
}

#endif

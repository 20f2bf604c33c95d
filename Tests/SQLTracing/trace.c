// Writes down every SQL text that a program gives to its engine, for tests that search them for
// keys. It is preloaded into the program (LD_PRELOAD): each connection that is opened gets a trace.
// Linux only.
//
//   TRACE_LOG   a file to which is appended, for each statement that runs, its text as given, then its
//               text with the bound values in it, and at the end the command line of the process, all
//               with "\n--\n" behind them
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

#define SQLITE_TRACE_STMT 1

static int log_descriptor = -1;

static void *following(const char *name) { return dlsym(RTLD_NEXT, name); }

static void note(const char *text, size_t length) {
  static const char ending[] = "\n--\n";
  if (log_descriptor < 0 || text == NULL) return;
  if (write(log_descriptor, text, length) < 0) _exit(99);
  if (write(log_descriptor, ending, sizeof ending - 1) < 0) _exit(99);
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("TRACE_LOG");
  if (path != NULL) log_descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

__attribute__((destructor)) static void end(void) {
  char line[65536];
  int descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t length = descriptor < 0 ? 0 : read(descriptor, line, sizeof line);
  if (descriptor >= 0) close(descriptor);
  if (length > 0) note(line, (size_t)length);
}

static int traced(unsigned event, void *context, void *statement, void *text) {
  (void)event;
  (void)context;
  // Where a trigger begins, the text is a comment of the engine's.
  if (text != NULL) note(text, strlen(text));
  char *(*expanded)(sqlite3_stmt *) = following("sqlite3_expanded_sql");
  void (*release)(void *) = following("sqlite3_free");
  char *whole = expanded((sqlite3_stmt *)statement);
  if (whole != NULL) {
    note(whole, strlen(whole));
    release(whole);
  }
  return 0;
}

typedef int set_trace(
    sqlite3 *, unsigned, int (*)(unsigned, void *, void *, void *), void *);

static void trace(sqlite3 *database) {
  set_trace *set = (set_trace *)following("sqlite3_trace_v2");
  if (database != NULL && set != NULL) set(database, SQLITE_TRACE_STMT, traced, NULL);
}

// This library says of every connection, before it has a key, that nobody traces it; the stock shell
// gives every one its functions. What opens files is left alone: the library refuses an engine that
// others answer for.

set_trace sqlite3_trace_v2;
int sqlite3_create_function(
    sqlite3 *database, const char *name, int arguments, int encoding, void *context,
    void *function, void *step, void *final);

int sqlite3_trace_v2(
    sqlite3 *database, unsigned events, int (*told)(unsigned, void *, void *, void *),
    void *context) {
  if (events == 0) {
    trace(database);
    return 0;
  }
  set_trace *set = (set_trace *)following("sqlite3_trace_v2");
  return set(database, events, told, context);
}

int sqlite3_create_function(
    sqlite3 *database, const char *name, int arguments, int encoding, void *context,
    void *function, void *step, void *final) {
  int (*create)(sqlite3 *, const char *, int, int, void *, void *, void *, void *) =
      following("sqlite3_create_function");
  trace(database);
  return create(database, name, arguments, encoding, context, function, step, final);
}

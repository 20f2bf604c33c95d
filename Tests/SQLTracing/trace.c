// Logs every SQL text that a program passes to its engine, for tests that search the texts for
// keys. The library is preloaded into the program (LD_PRELOAD) and traces each opened connection.
// Linux only.
//
//   TRACE_LOG   the log file. Each statement that runs appends its original text, then its text
//               with the bound values. At the end the command line of the process is appended.
//               "\n--\n" follows each text.
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
  // At the beginning of a trigger, the text is a comment of the engine.
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

// ObjectVault removes the trace of every connection before it sets the key, and the stock shell
// registers its functions on every connection, so these two functions are overridden. The functions
// that open files are not, because ObjectVault rejects an engine with overridden functions.

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

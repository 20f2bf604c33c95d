// Injects a fault into one call of a program that changes a file, for tests of crashes and broken
// disks. The library is preloaded into the program (LD_PRELOAD) and overrides the C library: it
// counts every call in a folder that creates, writes, truncates, syncs, renames, links or removes a
// file or changes its mode, and applies the fault to the requested call. Linux only: preloading
// works differently on other systems.
//
//   FAULTS_FOLDER   the folder, by the kernel's name for it; nothing outside it is counted
//   FAULTS_AT       the number of the call with the fault, counted from 1; no fault if not set
//   FAULTS_ACTION   kill    the process is killed before the call
//                   torn    it is killed after half of a write, or after any other complete call
//                   EIO     the call fails without any effect, later calls work
//                   ENOSPC  the same with another error
//                   move    FAULTS_MOVED is moved to FAULTS_TARGET before the call, which then runs
//                   moved   the same after the call
//                   full    from this call on creating and writing fail with ENOSPC, until a file
//                           is removed, which frees space
//   FAULTS_NO_LOCKS if set, flock fails as on a file system without locks
//   FAULTS_LOG      a file that receives one line for each call: its name and the name of the file
#define _GNU_SOURCE
// The functions are defined with both of their names, with and without the suffix 64.
#undef _FILE_OFFSET_BITS

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum action { NONE, KILL, TORN, FAIL, FULL, MOVE, MOVED };

static char folder[4096];
static size_t folder_length;
static long fault_at;
static enum action action = NONE;
static int fault_errno = EIO;
static int log_descriptor = -1;
static atomic_long calls;
static atomic_int has_room_again;

__attribute__((constructor)) static void start(void) {
  const char *value = getenv("FAULTS_FOLDER");
  if (value == NULL || strlen(value) >= sizeof folder - 1) return;
  strcpy(folder, value);
  folder_length = strlen(folder);
  if ((value = getenv("FAULTS_AT")) != NULL) fault_at = atol(value);
  if ((value = getenv("FAULTS_ACTION")) != NULL) {
    if (strcmp(value, "kill") == 0) action = KILL;
    if (strcmp(value, "torn") == 0) action = TORN;
    if (strcmp(value, "full") == 0) action = FULL;
    if (strcmp(value, "move") == 0) action = MOVE;
    if (strcmp(value, "moved") == 0) action = MOVED;
    if (strcmp(value, "EIO") == 0) action = FAIL;
    if (strcmp(value, "ENOSPC") == 0) action = FAIL;
    if (strcmp(value, "EIO") != 0) fault_errno = ENOSPC;
  }
  if ((value = getenv("FAULTS_LOG")) != NULL) {
    log_descriptor =
        (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
}

static int is_inside(const char *path) {
  return folder_length > 0 && strncmp(path, folder, folder_length) == 0 &&
         (path[folder_length] == '/' || path[folder_length] == 0);
}

static int path_of(int descriptor, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

static int path_at(int directory, const char *name, char *path, size_t size) {
  if (name[0] == '/') {
    snprintf(path, size, "%s", name);
    return is_inside(path);
  }
  char base[4096];
  if (directory == AT_FDCWD) {
    if (getcwd(base, sizeof base) == NULL) return 0;
  } else if (!path_of(directory, base, sizeof base)) {
    return 0;
  }
  snprintf(path, size, "%s/%s", base, name);
  return is_inside(path);
}

enum verdict { PROCEED, DIE_AFTER, MOVE_AFTER, REFUSE };

static void move(void) {
  syscall(SYS_renameat2, AT_FDCWD, getenv("FAULTS_MOVED"), AT_FDCWD, getenv("FAULTS_TARGET"), 0);
}

// Counts a call and returns its fate. Does not return if the process is killed before the call.
static enum verdict meet(const char *call, const char *path, int needs_room) {
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (log_descriptor >= 0) {
    char line[4200];
    const char *name = strlen(path) > folder_length ? path + folder_length + 1 : ".";
    int length = snprintf(line, sizeof line, "%s %s\n", call, name);
    syscall(SYS_write, log_descriptor, line, (size_t)length);
  }
  if (action == FULL) {
    if (fault_at <= 0 || number < fault_at || has_room_again) return PROCEED;
    if (needs_room) return REFUSE;
    if (strcmp(call, "unlink") == 0) has_room_again = access(path, F_OK) == 0;
    return PROCEED;
  }
  if (number != fault_at) return PROCEED;
  switch (action) {
  case KILL:
    kill(getpid(), SIGKILL);
    for (;;) pause();
  case TORN: return DIE_AFTER;
  case FAIL: return REFUSE;
  case MOVE: move(); return PROCEED;
  case MOVED: return MOVE_AFTER;
  default: return PROCEED;
  }
}

static long finish(enum verdict verdict, long answer) {
  if (verdict == DIE_AFTER) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  if (verdict == MOVE_AFTER) {
    int error = errno;
    move();
    errno = error;
  }
  return answer;
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

static int refused(void) {
  errno = fault_errno;
  return -1;
}

// MARK: Writing

#define WRITES(call, descriptor, count, needs_room, real_call)                                     \
  char path[4096];                                                                                 \
  if (folder_length == 0 || !path_of(descriptor, path, sizeof path)) return real_call(count);      \
  enum verdict verdict = meet(call, path, needs_room);                                             \
  if (verdict == REFUSE) return refused();                                                         \
  return finish(verdict, real_call(verdict == DIE_AFTER ? (count) / 2 : (count)))

ssize_t write(int descriptor, const void *bytes, size_t count) {
#define CALL(amount) REAL(write)(descriptor, bytes, amount)
  WRITES("write", descriptor, count, 1, CALL);
#undef CALL
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
#define CALL(amount) REAL(pwrite)(descriptor, bytes, amount, offset)
  WRITES("write", descriptor, count, 1, CALL);
#undef CALL
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
#define CALL(amount) REAL(pwrite64)(descriptor, bytes, amount, offset)
  WRITES("write", descriptor, count, 1, CALL);
#undef CALL
}

// MARK: Other changes

#define CHANGES(call, is_ours, needs_room, real_call)                                              \
  char path[4096];                                                                                 \
  if (folder_length == 0 || !(is_ours)) return real_call;                                          \
  enum verdict verdict = meet(call, path, needs_room);                                             \
  if (verdict == REFUSE) return refused();                                                         \
  return (int)finish(verdict, real_call)

int ftruncate(int descriptor, off_t length) {
  CHANGES("truncate", path_of(descriptor, path, sizeof path), length > 0,
          REAL(ftruncate)(descriptor, length));
}

int ftruncate64(int descriptor, off64_t length) {
  CHANGES("truncate", path_of(descriptor, path, sizeof path), length > 0,
          REAL(ftruncate64)(descriptor, length));
}

int fsync(int descriptor) {
  CHANGES("sync", path_of(descriptor, path, sizeof path), 0, REAL(fsync)(descriptor));
}

int fdatasync(int descriptor) {
  CHANGES("sync", path_of(descriptor, path, sizeof path), 0, REAL(fdatasync)(descriptor));
}

int fchmod(int descriptor, mode_t mode) {
  CHANGES("chmod", path_of(descriptor, path, sizeof path), 0, REAL(fchmod)(descriptor, mode));
}

int flock(int descriptor, int operation) {
  if (getenv("FAULTS_NO_LOCKS") != NULL) {
    errno = ENOLCK;
    return -1;
  }
  return REAL(flock)(descriptor, operation);
}

int rename(const char *from, const char *to) {
  CHANGES("rename", path_at(AT_FDCWD, from, path, sizeof path), 0, REAL(rename)(from, to));
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  CHANGES("rename", path_at(from_folder, from, path, sizeof path), 0,
          REAL(renameat)(from_folder, from, to_folder, to));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  CHANGES("rename", path_at(from_folder, from, path, sizeof path), 0,
          REAL(renameat2)(from_folder, from, to_folder, to, flags));
}

int link(const char *from, const char *to) {
  CHANGES("link", path_at(AT_FDCWD, to, path, sizeof path), 1, REAL(link)(from, to));
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  CHANGES("link", path_at(to_folder, to, path, sizeof path), 1,
          REAL(linkat)(from_folder, from, to_folder, to, flags));
}

int unlink(const char *name) {
  CHANGES("unlink", path_at(AT_FDCWD, name, path, sizeof path), 0, REAL(unlink)(name));
}

int unlinkat(int directory, const char *name, int flags) {
  CHANGES("unlink", path_at(directory, name, path, sizeof path), 0,
          REAL(unlinkat)(directory, name, flags));
}

// MARK: Creating

static mode_t mode_of(int flags, va_list list) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

// Returns whether the file is missing: opening an existing one changes nothing.
static int creates(int directory, const char *name, int flags, char *path, size_t size) {
  return flags & O_CREAT && path_at(directory, name, path, size) &&
         syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
}

#define OPENS(directory, real_call)                                                                \
  va_list list;                                                                                    \
  va_start(list, flags);                                                                           \
  mode_t mode = mode_of(flags, list);                                                              \
  va_end(list);                                                                                    \
  CHANGES("create", creates(directory, name, flags, path, sizeof path), 1, real_call)

int open(const char *name, int flags, ...) { OPENS(AT_FDCWD, REAL(open)(name, flags, mode)); }

int open64(const char *name, int flags, ...) { OPENS(AT_FDCWD, REAL(open64)(name, flags, mode)); }

int openat(int directory, const char *name, int flags, ...) {
  OPENS(directory, REAL(openat)(directory, name, flags, mode));
}

int openat64(int directory, const char *name, int flags, ...) {
  OPENS(directory, REAL(openat64)(directory, name, flags, mode));
}

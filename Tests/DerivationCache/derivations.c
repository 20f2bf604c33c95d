// Derives each key once in a run of the tests. The library is preloaded (LD_PRELOAD) into the tests
// and the programs that they start. It computes the first derivation of a passphrase, a salt and a
// cost as usual, and answers an equal one later from a folder. It computes any other passphrase,
// salt or cost, so tests get the same keys as without it. Cheap derivations, such as the one that
// measures the computer, are always computed. Linux only.
//
//   DERIVATIONS   the folder. The library does nothing if it is not set or empty. The folder
//                 contains derived keys: only tests may use it, and it must end with them.
//
// Files are used by system calls, because the tests also preload a library that counts the calls
// of the C library and lets them fail.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { fewestRounds = 4000, leastScrypt = 1 << 16 };

typedef struct {
  unsigned char bytes[2048];
  size_t count;
  int isComplete;
} Input;

// Python loads the cryptographic library later, so that it is not the next one.
static void *following(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  void *library = found != NULL ? NULL : dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_NOLOAD);
  if (library != NULL) {
    found = dlsym(library, name);
    dlclose(library);
  }
  return found;
}

static void add(Input *input, const void *bytes, size_t count) {
  uint64_t length = count;
  if (count > sizeof input->bytes || input->count + sizeof length + count > sizeof input->bytes) {
    input->isComplete = 0;
    return;
  }
  memcpy(input->bytes + input->count, &length, sizeof length);
  if (count > 0) memcpy(input->bytes + input->count + sizeof length, bytes, count);
  input->count += sizeof length + count;
}

// Writes the path of the answer to an input. Returns 0 if there is no folder.
static int locate(Input *input, char *path, size_t size) {
  static const char digits[] = "0123456789abcdef";
  unsigned char *(*hash)(const unsigned char *, size_t, unsigned char *) = following("SHA256");
  const char *folder = getenv("DERIVATIONS");
  unsigned char digest[32];
  char name[65];
  int isLocated = 0;
  if (input->isComplete && hash != NULL && folder != NULL && folder[0] != 0) {
    hash(input->bytes, input->count, digest);
    for (int i = 0; i < 64; i++) name[i] = digits[digest[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    name[64] = 0;
    isLocated = (size_t)snprintf(path, size, "%s/%s", folder, name) < size;
  }
  explicit_bzero(input, sizeof *input);
  return isLocated;
}

static int load(const char *path, unsigned char *key, size_t count) {
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return 0;
  long length = syscall(SYS_read, descriptor, key, count);
  syscall(SYS_close, descriptor);
  return length == (long)count;
}

static void store(const char *path, const unsigned char *key, size_t count) {
  struct rlimit limit;
  char temporary[4200];
  // A process that tests give little room for files would be ended.
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return;
  snprintf(temporary, sizeof temporary, "%s-%ld", path, (long)syscall(SYS_gettid));
  int descriptor = (int)syscall(
    SYS_openat, AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  long length = syscall(SYS_write, descriptor, key, count);
  syscall(SYS_close, descriptor);
  if (length != (long)count || syscall(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path, 0) != 0)
    syscall(SYS_unlinkat, AT_FDCWD, temporary, 0);
}

int PKCS5_PBKDF2_HMAC(
  const char *passphrase, int count, const unsigned char *salt, int saltCount, int rounds,
  const void *digest, int keyCount, unsigned char *key) {
  int (*derive)(
    const char *, int, const unsigned char *, int, int, const void *, int, unsigned char *) =
    following("PKCS5_PBKDF2_HMAC");
  int (*type)(const void *) = following("EVP_MD_get_type");
  Input input = {.isComplete = passphrase != NULL && count >= 0 && salt != NULL && saltCount >= 0};
  char path[4096];
  int error = errno, isCached = 0;
  if (rounds >= fewestRounds && keyCount > 0 && type != NULL) {
    int numbers[] = {type(digest), rounds, keyCount};
    add(&input, "PBKDF2", 6);
    add(&input, numbers, sizeof numbers);
    add(&input, passphrase, input.isComplete ? (size_t)count : 0);
    add(&input, salt, input.isComplete ? (size_t)saltCount : 0);
    isCached = locate(&input, path, sizeof path);
  }
  int isDone = isCached && load(path, key, (size_t)keyCount);
  errno = error;
  if (isDone) return 1;
  if (derive == NULL) return 0;
  int answer = derive(passphrase, count, salt, saltCount, rounds, digest, keyCount, key);
  error = errno;
  if (answer == 1 && isCached) store(path, key, (size_t)keyCount);
  errno = error;
  return answer;
}

int EVP_PBE_scrypt(
  const char *passphrase, size_t count, const unsigned char *salt, size_t saltCount, uint64_t n,
  uint64_t r, uint64_t p, uint64_t memory, unsigned char *key, size_t keyCount) {
  int (*derive)(
    const char *, size_t, const unsigned char *, size_t, uint64_t, uint64_t, uint64_t, uint64_t,
    unsigned char *, size_t) = following("EVP_PBE_scrypt");
  Input input = {.isComplete = passphrase != NULL && salt != NULL};
  char path[4096];
  int error = errno, isCached = 0;
  if (n >= leastScrypt && key != NULL && keyCount > 0) {
    uint64_t numbers[] = {n, r, p, memory, keyCount};
    add(&input, "scrypt", 6);
    add(&input, numbers, sizeof numbers);
    add(&input, passphrase, input.isComplete ? count : 0);
    add(&input, salt, input.isComplete ? saltCount : 0);
    isCached = locate(&input, path, sizeof path);
  }
  int isDone = isCached && load(path, key, keyCount);
  errno = error;
  if (isDone) return 1;
  if (derive == NULL) return 0;
  int answer = derive(passphrase, count, salt, saltCount, n, r, p, memory, key, keyCount);
  error = errno;
  if (answer == 1 && isCached) store(path, key, keyCount);
  errno = error;
  return answer;
}

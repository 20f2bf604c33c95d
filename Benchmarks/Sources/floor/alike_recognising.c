#include "alike.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>
#include <sys/mman.h>

// How pages are sealed: HMAC with SHA-1 before SQLCipher 4, with SHA-512 from then on.
static bool is_old(void) { return sqlite3_libversion_number() < 3020000; }
static const EVP_MD *digest(void) { return is_old() ? EVP_sha1() : EVP_sha512(); }
static size_t seal_length(void) { return is_old() ? 20 : 64; }
// What a page reserves at its end: a vector of 16 bytes and the seal, in whole cipher blocks.
static size_t reserved(void) { return is_old() ? 48 : 80; }

enum { page_size = 4096, salt_length = 16 };

// Alike: a few pages stay locked for the next secrets.
static uint8_t *spare[8];
static int spare_count;

// Alike: a secret has a page of memory of its own, that is neither swapped, dumped nor inherited.
uint8_t *locked_memory(void) {
  if (spare_count > 0) return spare[--spare_count];
  uint8_t *memory =
    mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) workload_fail("memory", "none for a secret");
  mlock(memory, page_size);
#ifdef __linux__
  madvise(memory, page_size, 16);  // MADV_DONTDUMP
  madvise(memory, page_size, 18);  // MADV_WIPEONFORK
#endif
  return memory;
}

void wipe(uint8_t *memory) {
  OPENSSL_cleanse(memory, page_size);
  if (spare_count < 8) {
    spare[spare_count++] = memory;
  } else {
    munmap(memory, page_size);
  }
}

// Alike: a passphrase is stretched once, before the engine sees the file.
void derive_raw_key(const char *words, const uint8_t salt[16], uint8_t key[32]) {
  PKCS5_PBKDF2_HMAC(
    words, (int)strlen(words), salt, salt_length, is_old() ? 64000 : 256000, digest(), 32, key);
}

// The key of the seals: two rounds from the raw key under the salt XOR 0x3a.
static EVP_MAC_CTX *seal_context(const uint8_t key[32], const uint8_t salt[16]) {
  uint8_t seal_salt[salt_length];
  for (int i = 0; i < salt_length; i++) seal_salt[i] = salt[i] ^ 0x3a;
  uint8_t *seal_key = locked_memory();
  PKCS5_PBKDF2_HMAC((const char *)key, 32, seal_salt, salt_length, 2, digest(), 32, seal_key);
  EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(algorithm);
  char name[] = "SHA512";
  if (is_old()) strcpy(name, "SHA1");
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_utf8_string("digest", name, 0), OSSL_PARAM_construct_end()};
  if (!EVP_MAC_init(context, seal_key, 32, parameters)) workload_fail("HMAC", "not there");
  EVP_MAC_free(algorithm);
  wipe(seal_key);
  return context;
}

static bool is_sealed(const uint8_t *page, const uint8_t key[32], const uint8_t salt[16]) {
  EVP_MAC_CTX *context = seal_context(key, salt);
  size_t end = page_size - reserved() + 16, count = 0;
  uint8_t number[4] = {1}, seal[64];
  EVP_MAC_init(context, NULL, 0, NULL);
  EVP_MAC_update(context, page + salt_length, end - salt_length);
  EVP_MAC_update(context, number, sizeof number);
  EVP_MAC_final(context, seal, &count, sizeof seal);
  EVP_MAC_CTX_free(context);
  return count == seal_length() && CRYPTO_memcmp(seal, page + end, count) == 0;
}

static uint32_t field(const uint8_t *header, int offset) {
  const uint8_t *bytes = header + offset - salt_length;
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Alike: how many pages the file should have is read from the header, to tell one that was cut
// short.
static bool is_long_enough(const uint8_t *page, size_t file_size, const uint8_t key[32]) {
  uint8_t header[96];
  int count = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  EVP_DecryptInit_ex(context, EVP_aes_256_cbc(), NULL, key, page + page_size - reserved());
  EVP_CIPHER_CTX_set_padding(context, 0);
  EVP_DecryptUpdate(context, header, &count, page + salt_length, 80);
  EVP_CIPHER_CTX_free(context);
  bool has_count = field(header, 28) > 0 && field(header, 24) == field(header, 92);
  return count == 80 && header[5] == 64 && header[6] == 32 && header[7] == 32
    && (!has_count || file_size >= (size_t)field(header, 28) * page_size);
}

// Alike: before the engine sees the file, its first page answers to the key.
bool recognises(const uint8_t *head, size_t size, const uint8_t key[32], const uint8_t salt[16]) {
  if (memcmp(head, "SQLite format 3", 16) == 0) return false;
  return is_sealed(head, key, salt) && is_long_enough(head, size, key);
}

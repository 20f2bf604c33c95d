#include <libgfshare.h>
#include <stdlib.h>
#include <sys/random.h>

// Fills coefficients with random bytes of the system. It has no way to report an error.
static inline void objectvault_fill_random(unsigned char *bytes, unsigned int count) {
  for (unsigned int filled = 0; filled < count; filled += 256) {
    unsigned int part = count - filled < 256 ? count - filled : 256;
    if (getentropy(bytes + filled, part) != 0) abort();
  }
}

// Replaces the generator of the library, which is predictable.
static inline void objectvault_use_random(void) { gfshare_fill_rand = objectvault_fill_random; }

/* The functions are inline. This file has the compiler check the header as C. */
#include "CSQLCipher.h"

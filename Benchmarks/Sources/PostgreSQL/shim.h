#ifndef BENCHMARKS_POSTGRESQL_H
#define BENCHMARKS_POSTGRESQL_H

#include <libpq-fe.h>

#endif

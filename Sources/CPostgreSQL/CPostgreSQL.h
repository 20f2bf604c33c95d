#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <libpq-fe.h>

#endif

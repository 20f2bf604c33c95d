#ifndef LATER_CALLS_H
#define LATER_CALLS_H

/* GRDB calls two functions that SQLite has since 3.20. On an older engine the calls would reach
   another SQLite in the process, with a connection that it did not open. This target defines both
   functions. They call the functions of the engine if it has them. */

/* Returns the path of the engine's library. The call also forces the target to be linked. */
const char *later_calls_engine(void);

#endif

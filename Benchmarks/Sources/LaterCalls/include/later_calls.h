#ifndef LATER_CALLS_H
#define LATER_CALLS_H

/* GRDB calls two functions that came with SQLite 3.20. On an engine without them they would be those
   of another SQLite in the process, given a connection that is none of its own. A program that
   contains this answers the calls itself: with the engine's own functions where it has them. */

/* Names the file that answers calls to the engine; a reason to link this target. */
const char *later_calls_engine(void);

#endif

// Macros.

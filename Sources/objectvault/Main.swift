// The command-line tool.

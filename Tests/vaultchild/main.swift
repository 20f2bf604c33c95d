// Started by tests as another process.

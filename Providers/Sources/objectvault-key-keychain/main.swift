#if canImport(Security)
  internal import KeyProviderProgram

  AppleKeys.serve()
#endif

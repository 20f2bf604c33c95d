#if WITHOUT_MACROS
  @_exported import ObjectVaultCore
#else
  @_exported import ObjectVault
#endif

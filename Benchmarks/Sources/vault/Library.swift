#if WITHOUT_MACROS
  @_exported import ObjectVaultCore
#else
  @_exported import ObjectVault
#endif
#if WITH_SERVER
  @_exported import ObjectVaultServer

  /// The database of the workloads.
  typealias Subjects = SharedVault
#else
  /// The database of the workloads.
  typealias Subjects = Vault
#endif

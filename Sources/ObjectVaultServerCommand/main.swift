import ObjectVaultServer
import ObjectVaultTool

Tool.run(sharedVault: { place in
  var configuration = SharedVaultConfiguration()
  configuration.schema = place.schema
  configuration.createsSchema = !place.mustExist
  configuration.security = place.isUnprotected ? .unprotected : .verified
  return try SharedVault(at: place.address, configuration: configuration)
})

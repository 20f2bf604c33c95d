// The asynchronous variants, which run the synchronous ones on the vault's own threads.

import ObjectVaultModel
import ObjectVaultSession
import ObjectVaultStores

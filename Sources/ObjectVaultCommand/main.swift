import ObjectVaultTool

Tool.run()

internal import KeyProviderProgram

SecretService.serve()

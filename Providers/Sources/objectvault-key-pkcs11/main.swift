internal import KeyProviderProgram

SecurityToken.serve()

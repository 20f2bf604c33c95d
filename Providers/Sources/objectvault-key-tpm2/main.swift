internal import Glibc
internal import KeyProviderProgram

// The libraries log each expected error otherwise.
setenv("TSS2_LOG", "all+none", 0)
TrustedPlatformModule.serve()

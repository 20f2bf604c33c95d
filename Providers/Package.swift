// swift-tools-version: 6.1
import PackageDescription

// The programs link system libraries and nothing of ObjectVault: the protocol of PROTOCOL.md is all
// that they share with it.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

var targets: [Target] = [
  // The protocol, settings, bytes in locked memory, and printed codes.
  .target(name: "KeyProviderProgram", swiftSettings: strict),
  .testTarget(
    name: "KeyProviderProgramTests", dependencies: ["KeyProviderProgram"], swiftSettings: strict),
  // Recovery codes in shares.
  .systemLibrary(
    name: "CGFShare", pkgConfig: "libgfshare", providers: [.apt(["libgfshare-dev"])]),
  .target(
    name: "RecoveryShares", dependencies: ["CGFShare", "KeyProviderProgram"],
    swiftSettings: strict),
  .executableTarget(
    name: "objectvault-shares", dependencies: ["KeyProviderProgram", "RecoveryShares"],
    swiftSettings: strict),
  .testTarget(
    name: "RecoverySharesTests",
    dependencies: ["CGFShare", "KeyProviderProgram", "RecoveryShares"], swiftSettings: strict),
  // Tokens and smart cards.
  .systemLibrary(
    name: "CP11Kit", pkgConfig: "p11-kit-1",
    providers: [.apt(["libp11-kit-dev"]), .brew(["p11-kit"])]),
  .executableTarget(
    name: "objectvault-key-pkcs11", dependencies: ["CP11Kit", "KeyProviderProgram"],
    swiftSettings: strict),
]

#if os(Linux)
  targets += [
    // Keyrings of desktops.
    .systemLibrary(
      name: "CLibsecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    .executableTarget(
      name: "objectvault-key-secret-service", dependencies: ["CLibsecret", "KeyProviderProgram"],
      swiftSettings: strict),
    // Trusted platform modules.
    .systemLibrary(
      name: "CTSS2", pkgConfig: "tss2-esys tss2-tctildr tss2-mu", providers: [.apt(["libtss2-dev"])]
    ),
    .executableTarget(
      name: "objectvault-key-tpm2", dependencies: ["CTSS2", "KeyProviderProgram"],
      swiftSettings: strict),
  ]
#else
  targets += [
    // The keychain and the Secure Enclave.
    .executableTarget(
      name: "objectvault-key-keychain", dependencies: ["KeyProviderProgram"],
      swiftSettings: strict)
  ]
#endif

let package = Package(name: "Providers", platforms: [.macOS(.v15)], targets: targets)

"""What is measured, and who takes part."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    # The file it begins with: none, one with all persons, or one under a passphrase.
    begins_with: str = "people"
    # Whether the number told is a rate, of which more is better.
    is_rate: bool = False


WORKLOADS = [
    Workload("w1", "W1 insert all, one transaction", "nothing"),
    Workload("w2", "W2 insert, one transaction each"),
    Workload("w3", "W3 fetch all as objects"),
    Workload("w4", "W4 fetch by objectID, one read scope"),
    Workload("w4x", "W4x fetch by objectID, each its own read"),
    Workload("w4i", "W4i fetch by objectID again, objects kept"),
    Workload("w5", "W5 fetch by an indexed value"),
    Workload("w6", "W6 condition, sorted, 100 of them"),
    Workload("w7", "W7 update, all columns"),
    Workload("w7p", "W7p update, two columns"),
    Workload("w8s", "W8s insert objects that refer to others"),
    Workload("w8", "W8 remove with four that go along"),
    Workload("w9", "W9 open under a raw key"),
    Workload("w9p", "W9p open under a passphrase", "words"),
    Workload("w10c", "W10 count"),
    Workload("w10a", "W10 mean of a column"),
    Workload("w11", "W11 reads beside a writer", is_rate=True),
    Workload("w12", "W12 insert all, made one by one", "nothing"),
    Workload("w13", "W13 open five readers under a passphrase", "words"),
    Workload("w14", "W14 rekey (floor: a copy under another key)"),
    Workload("w15", "W15 save and fetch owners with what they own", "nothing"),
    Workload("w16", "W16 conditions in text, each another"),
    Workload("w16c", "W16 the same condition in text again"),
]
BY_NAME = {workload.name: workload for workload in WORKLOADS}


@dataclass(frozen=True)
class Peer:
    program: str
    variant: str
    title: str
    # The workloads it has no way for, or in which it would do the same as another variant.
    without: tuple = ()
    only: tuple = ()
    # How many rounds it takes part in; 0 for all.
    rounds: int = 0

    @property
    def name(self):
        return f"{self.program}-{self.variant}"

    @property
    def maker(self):
        """Who makes the file that it begins with: for what the library does, the library."""
        program = "vault" if self.variant == "alike" else self.program
        variants = {"vault": "struct", "grdb": "hand", "floor": "plain"}
        return Peer(program, variants.get(program, self.variant), self.title)

    def takes(self, workload):
        return workload in self.only if self.only else workload not in self.without


SHARED = ("w8s", "w8", "w9", "w9p", "w10c", "w10a", "w13", "w14", "w15", "w16", "w16c")
FLOOR = Peer("floor", "plain", "C")
PEERS = [
    FLOOR,
    Peer("floor", "better", "C, better SQL", only=("w1", "w6", "w7", "w7p", "w8", "w13")),
    Peer(
        "floor", "alike", "C, the library's calls",
        only=("w3", "w4", "w4x", "w4i", "w5", "w7p", "w9", "w9p", "w10a", "w11")),
    Peer("vault", "struct", "ObjectVault, structs"),
    Peer("vault", "class", "ObjectVault, classes", without=SHARED),
    Peer("vault", "dynamic", "ObjectVault, dynamic", without=SHARED),
    Peer("vault", "indexed", "ObjectVault, index declared", only=("w6",)),
    Peer("grdb", "hand", "GRDB, by hand", without=("w4i", "w14")),
    Peer("grdb", "codable", "GRDB, Codable", without=("w4i", "w14") + SHARED),
    Peer(
        "peewee", "peewee", "peewee",
        without=("w4i", "w9p", "w11", "w13", "w14", "w15", "w16", "w16c"), rounds=1),
]

# Those that are measured up to so many times as often as others: they are compared most closely.
CLOSE = ("floor-plain", "floor-better", "floor-alike", "vault-struct", "vault-class")
MORE_OFTEN = 5

# What is measured again at a tenth and at ten times as many objects, by whom, and how often at each
# size: a round takes ten times as long as one before.
GROWTH = ("w1", "w4", "w5")
GROWING = ("floor-plain", "vault-struct", "grdb-hand")
GROWTH_ROUNDS = (3, 2, 1)

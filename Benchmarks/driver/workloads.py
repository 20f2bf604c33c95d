"""The workloads and the peers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    # The file at the start: none, one with all persons, or one with a passphrase as its key.
    begins_with: str = "people"
    # Whether the result is a rate, so that more is better.
    is_rate: bool = False


WORKLOADS = [
    Workload("w1", "W1 insert all, one transaction", "nothing"),
    Workload("w2", "W2 insert, one transaction each"),
    Workload("w3", "W3 fetch all as objects"),
    Workload("w4", "W4 fetch by object ID, one read scope"),
    Workload("w4x", "W4x fetch by object ID, one read each"),
    Workload("w4i", "W4i fetch by object ID again, objects cached"),
    Workload("w5", "W5 fetch by an indexed value"),
    Workload("w6", "W6 condition, sorted, first 100"),
    Workload("w7", "W7 update, all columns"),
    Workload("w7p", "W7p update, two columns"),
    Workload("w8s", "W8s insert objects with references"),
    Workload("w8", "W8 remove, four cascading each"),
    Workload("w9", "W9 open with a raw key"),
    Workload("w9p", "W9p open with a passphrase", "words"),
    Workload("w10c", "W10 count"),
    Workload("w10a", "W10 mean of a property"),
    Workload("w11", "W11 reads next to a writer", is_rate=True),
    Workload("w12", "W12 insert all, created one by one", "nothing"),
    Workload("w13", "W13 open five readers with a passphrase", "words"),
    Workload("w14", "W14 rekey (C: a copy with another key)"),
    Workload("w15", "W15 save and fetch owners with owned objects", "nothing"),
    Workload("w16", "W16 conditions as text, all different"),
    Workload("w16c", "W16 the same condition as text again"),
]
BY_NAME = {workload.name: workload for workload in WORKLOADS}


@dataclass(frozen=True)
class Peer:
    program: str
    variant: str
    title: str
    # The workloads that it cannot do, or would do in the same way as another variant.
    without: tuple = ()
    only: tuple = ()
    # The number of rounds in which it takes part; 0 for all.
    rounds: int = 0

    @property
    def name(self):
        return f"{self.program}-{self.variant}"

    @property
    def maker(self):
        """The variant that prepares the files of this program."""
        variants = {"vault": "struct", "grdb": "hand", "floor": "plain"}
        return Peer(self.program, variants.get(self.program, self.variant), self.title)

    def takes(self, workload):
        return workload in self.only if self.only else workload not in self.without


SHARED = ("w8s", "w8", "w9", "w9p", "w10c", "w10a", "w13", "w14", "w15", "w16", "w16c")
FLOOR = Peer("floor", "plain", "C")
PEERS = [
    FLOOR,
    Peer("floor", "better", "C, better SQL", only=("w1", "w6", "w7", "w7p", "w8", "w13")),
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

# The peers that are near each other. They get up to MORE_OFTEN times as many rounds.
CLOSE = ("floor-plain", "floor-better", "vault-struct", "vault-class")
MORE_OFTEN = 5

# The workloads and peers of --growth, and the rounds at each of its three sizes. A round takes ten
# times as long as a round of the previous size.
GROWTH = ("w1", "w4", "w5")
GROWING = ("floor-plain", "vault-struct", "grdb-hand")
GROWTH_ROUNDS = (3, 2, 1)

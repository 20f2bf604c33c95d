"""What an operation can fail with."""


class Failure(Exception):
    """What an operation failed with: a code of the contract."""

    def __init__(self, code, message, offset=None):
        super().__init__(message)
        self.code, self.message, self.offset = code, message, offset


class Unsupported(Exception):
    """The testee does not do this."""

"""The errors of operations."""


class Failure(Exception):
    """An error of an operation, with a code of the contract."""

    def __init__(self, code, message, offset=None):
        super().__init__(message)
        self.code, self.message, self.offset = code, message, offset


class Unsupported(Exception):
    """An operation that the testee does not support."""

#!/usr/bin/env python3
"""An ObjectVault testee in Python, written from the specification alone.

It uses the protocol of `Fixtures/README.md` over standard input and output, stores objects as
specified in `Fixtures/STORAGE.md`, in files that SQLCipher encrypts, and reads conditions as
specified in `Guides/Conditions.md`. It shares no code with the library, so that a fixture that both
pass tests the specification. It evaluates conditions itself over the decoded rows, without the
engine.

It needs Python 3.9, `sqlcipher3` and, for keyrings, `cryptography`; `Scripts/testee` provides them.
It answers `unsupported` for copies and conversions of files, several threads, MATCHES, full-text
search, shared blobs, partitions, SQL statements, some rows of a damaged table, writing within
`read`, a truncated first page, and URLs that must be escaped.
"""

import json
import sys
import traceback

from protocol import Testee


def main():
    sys.setrecursionlimit(20_000)
    testee = Testee()
    for line in sys.stdin.buffer:
        request = {}
        try:
            request = json.loads(line)
            answer = testee.answer(request)
        except Exception as error:  # an invalid request or a defect of the testee
            traceback.print_exc()
            answer = {"fails": {"code": "internalError", "message": repr(error)}}
        if isinstance(request, dict) and "id" in request:
            answer = {"id": request["id"], **answer}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

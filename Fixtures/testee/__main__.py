#!/usr/bin/env python3
"""An ObjectVault testee in Python, made from the written contract alone.

It speaks the protocol of `Fixtures/README.md` over standard input and output, keeps objects as
`Fixtures/STORAGE.md` says, in files that SQLCipher encrypts, and reads conditions as
`Guides/Conditions.md` says. It shares no code with the library: a fixture that both pass tests the
contract. Conditions are evaluated here over the decoded rows, not by the engine.

It needs Python 3.9, `sqlcipher3` and, for keyrings, `cryptography`; `Scripts/testee` provides them.
What it does not do it answers with `unsupported`: copies and conversions of files, several threads,
MATCHES, searching for words, shared bytes, partitions, statements of SQL, some rows of a table that is damaged,
writing within `read`, a first page that was cut, and
URLs that would have to be escaped.
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
        except Exception as error:  # no request, or a defect of the testee: it fails, and says so
            traceback.print_exc()
            answer = {"fails": {"code": "internalError", "message": repr(error)}}
        if isinstance(request, dict) and "id" in request:
            answer = {"id": request["id"], **answer}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

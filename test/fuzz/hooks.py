import re
import uuid

import schemathesis

HEADER = "Idempotency-Key"


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key of its own for each request whose key is well-formed: the fuzzer sends the same one with other bodies."""
    key = (case.headers or {}).get(HEADER)
    if key is not None and re.fullmatch("[ -~]{1,255}", str(key)):
        case.headers[HEADER] = str(uuid.uuid4())

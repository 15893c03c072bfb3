import random
import re
import uuid

import schemathesis

HEADER = "Idempotency-Key"
# The last ids in answers, by prefix. Not of API keys: the fuzzer would revoke its own.
SEEN = {}
ID = re.compile(r"\b(?!key_)([a-z]{2,3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b")


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key of its own for each request whose key is well-formed: the fuzzer sends the same one with other bodies."""
    key = (case.headers or {}).get(HEADER)
    if key is not None and re.fullmatch("[ -~]{1,255}", str(key)):
        case.headers[HEADER] = str(uuid.uuid4())
    take_ids(case)


def take_ids(case):
    """Ids in paths that were made up become ids that answers have shown. Histories along links keep theirs, and most deletions too."""
    if case.meta.phase.name == "stateful" or (case.method == "DELETE" and random.random() < 0.9):
        return
    for name, value in (case.path_parameters or {}).items():
        made_up = ID.fullmatch(str(value))
        ids = SEEN.get(made_up[1]) if made_up else None
        if ids and value not in ids:
            case.path_parameters[name] = random.choice(ids)


@schemathesis.hook
def after_call(context, case, response):
    """Remembers the ids of answers, the last 50 of each kind."""
    for found in ID.finditer(response.content.decode(errors="ignore")):
        ids = SEEN.setdefault(found[1], [])
        if found[0] not in ids:
            ids.append(found[0])
            del ids[:-50]

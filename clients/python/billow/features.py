"""The features of a Customer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from . import models

Feature = Union[bool, int, float, str]


def merge_features(grants: Iterable[models.BenefitGrant]) -> dict[str, Feature]:
    """
    One value for each feature, from grants that are ordered newest first: true if any is true, the largest number, or
    the newest text. If the values of a feature differ in type, the type of the newest counts.
    """
    merged: dict[str, Feature] = {}
    for grant in grants:
        properties: Any = grant["properties"]
        if "feature" not in properties:
            continue
        name, value = properties["feature"], properties["value"]
        newer = merged.setdefault(name, value)
        if isinstance(newer, bool) or isinstance(value, bool):
            if isinstance(newer, bool) and isinstance(value, bool):
                merged[name] = newer or value
        elif isinstance(newer, (int, float)) and isinstance(value, (int, float)):
            merged[name] = max(newer, value)
    return merged

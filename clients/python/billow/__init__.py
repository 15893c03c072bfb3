"""Typed client for the Billow APIs and webhooks."""

from . import models, webhooks
from .calls import Items
from .client import Billow
from .errors import (
    ApiError,
    AuthenticationError,
    BillowError,
    ConnectionError,
    PaymentError,
    ValidationError,
)

__version__ = "0.2.0"

__all__ = [
    "ApiError",
    "AuthenticationError",
    "Billow",
    "BillowError",
    "ConnectionError",
    "Items",
    "PaymentError",
    "ValidationError",
    "models",
    "webhooks",
]

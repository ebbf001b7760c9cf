"""Nonsmooth mechanics with a certificate for every step."""

from stickslip.errors import InputError

__all__ = ["InputError"]

"""Nonsmooth mechanics with a certificate for every step."""

from stickslip._engine import InputError

__all__ = ["InputError"]

"""What can go wrong, as exceptions."""


class InputError(ValueError):
    """Input that cannot be used: one line that names what is wrong, where, and what would be right."""

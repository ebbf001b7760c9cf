"""Objects of scenes."""

__all__: list[str] = []

"""Lists of parts that know the names of their parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, overload

from stickslip._engine import InputError

T = TypeVar("T")


class PartList(list[T]):
    """Parts in order, also by name: bodies[0], bodies["box"]. One without a name has the one that the engine gives it,
    as in bodies["body0"]."""

    def __init__(self, parts: Iterable[T] = (), usual_name: str = "") -> None:
        super().__init__(parts)
        self._usual_name = usual_name

    @property
    def names(self) -> list[str]:
        """The names in order."""
        return [getattr(part, "name", None) or f"{self._usual_name}{i}" for i, part in enumerate(self)]

    @overload
    def __getitem__(self, key: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, key: slice) -> list[T]: ...
    @overload
    def __getitem__(self, key: str) -> T: ...
    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self.index_of(key) if isinstance(key, str) else key)

    def __contains__(self, part: object) -> bool:
        return part in self.names if isinstance(part, str) else super().__contains__(part)

    def index_of(self, name: str) -> int:
        """The place of the part with this name."""
        names = self.names
        if name in names:
            return names.index(name)
        import difflib

        near = difflib.get_close_matches(name, names, 1)
        hint = f'did you mean "{near[0]}"?' if near else f"there are {len(names)}: {', '.join(names[:5])}" if names else "there are none"
        raise InputError(f'no {self._usual_name or "part"} has the name "{name}"; {hint}')


if TYPE_CHECKING:

    class Parts(Generic[T]):
        """A field of parts: takes any sequence of them, and has them as a PartList."""

        def __get__(self, part: object, owner: Any = None) -> PartList[T]:
            raise NotImplementedError

        def __set__(self, part: object, parts: Sequence[T] | None) -> None:
            raise NotImplementedError

else:
    Parts = list

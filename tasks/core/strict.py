"""Parameter groups that refuse what they do not know, and errors that name the key."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from tasks.core.errors import CodeGraftError

T = TypeVar("T", bound=BaseModel)


class Strict(BaseModel):
    """Base of every parameter group: frozen, no unknown keys, no silent conversions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


def validated(model: type[T], raw: Any, *, where: str) -> T:
    """Validate `raw` against `model`; raises CodeGraftError naming each offending key."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = [
            f"{'.'.join(str(part) for part in item['loc']) or '(top level)'}: {item['msg']}"
            for item in error.errors()
        ]
        raise CodeGraftError(
            "invalid parameters: " + "; ".join(problems),
            where=where,
            remedy="correct these keys; params.yaml in the repository shows every valid one",
        ) from None

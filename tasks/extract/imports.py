"""What the names of a module stand for: its import statements."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FROM = re.compile(r"from\s*(\.*)\s*([\w.]*)\s*import\s*(.*)", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")


def module_name(path: str) -> str:
    """Dotted module name of a path: `a/b.py` is a.b, `a/__init__.py` is a, `src/` is left out."""
    parts = path.removesuffix(".py").removesuffix(".pyi").split("/")
    if len(parts) > 1 and parts[0] == "src":
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def aliases_of(
    statements: Iterable[bytes], *, module: str, package: bool
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Aliases with their absolute dotted targets, and the modules imported with a star.

    `package` says that the module is an `__init__`, which relative imports count from. An alias
    imported twice (try/except ImportError) keeps both targets in order.
    """
    aliases: dict[str, tuple[str, ...]] = {}
    stars: list[str] = []
    for statement in statements:
        for alias, target in _bindings(statement.decode("utf-8", "replace"), module, package):
            if alias == "*":
                stars.append(target)
            elif target not in aliases.get(alias, ()):
                aliases[alias] = (*aliases.get(alias, ()), target)
    return aliases, tuple(dict.fromkeys(stars))


def _bindings(statement: str, module: str, package: bool) -> Iterable[tuple[str, str]]:
    if "#" in statement:
        statement = _COMMENT.sub("", statement)
    if statement.startswith("import"):
        for item in statement[6:].replace("\\", " ").split(","):
            name, alias = _alias(item)
            # `import a.b` binds a; calls through it spell out a.b.f, which is absolute already
            if name:
                yield (alias, name) if alias else (name.partition(".")[0],) * 2
        return
    found = _FROM.match(statement.replace("\\", " "))
    if not found:
        return
    dots, source, names = found.groups()
    base = _absolute(len(dots), source, module, package)
    for item in names.strip("() \r\n\t").split(","):
        name, alias = _alias(item)
        if name == "*":
            yield "*", base
        elif name:
            yield alias or name, f"{base}.{name}" if base else name


def _alias(item: str) -> tuple[str, str]:
    words = item.split()
    if not words:
        return "", ""
    return words[0], words[2] if len(words) == 3 and words[1] == "as" else ""


def _absolute(dots: int, source: str, module: str, package: bool) -> str:
    if not dots:
        return source
    parts = module.split(".")
    keep = len(parts) - dots + (1 if package else 0)
    return ".".join([*parts[: max(keep, 0)], *([source] if source else [])])

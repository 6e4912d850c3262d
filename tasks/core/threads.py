"""Calls that wait on a network, several at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


# A result, why there is none, or None when a thread has ended.
_Entry: TypeAlias = tuple[Item, Result] | BaseException | None


def in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], *, threads: int
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, work(item)) as calls end, at most `threads` of them under way.

    When a call raises, no new one begins, those under way are still yielded, and then the first
    exception is raised. The threads are daemons, so that Ctrl-C does not wait for a slow server.
    """
    todo: SimpleQueue[Item] = SimpleQueue()
    for item in items:
        todo.put(item)
    done: SimpleQueue[_Entry[Item, Result]] = SimpleQueue()
    stop = threading.Event()
    running = min(threads, todo.qsize())
    for _ in range(running):
        threading.Thread(target=_work, args=(work, todo, done, stop), daemon=True).start()
    failed: BaseException | None = None
    try:
        while running:
            entry = done.get()
            if entry is None:
                running -= 1
            elif isinstance(entry, BaseException):
                failed = failed or entry
            else:
                yield entry
    finally:
        stop.set()
    if failed:
        raise failed


def _work(
    work: Callable[[Item], Result],
    todo: SimpleQueue[Item],
    done: SimpleQueue[_Entry[Item, Result]],
    stop: threading.Event,
) -> None:
    while not stop.is_set():
        try:
            item = todo.get_nowait()
        except Empty:
            break
        try:
            done.put((item, work(item)))
        except BaseException as error:
            stop.set()
            done.put(error)
    done.put(None)

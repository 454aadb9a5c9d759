"""Reading and replacing files so that a save is always whole: the old one or the new one.

A save is replaced under an exclusive lock on its folder (flock, which ends with the process), through a
temporary file beside it that is flushed to the disk and renamed over it. The temporary file has a fixed
name for each save, so what a killed process left is known, and goes with the next command.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .errors import FileTrouble, NoFile

LARGEST = 4 * 1024 * 1024
"""Bytes; a larger file is refused unread."""
IS_FOLDER = "is a folder: name a file in it"
PATIENCE = 20.0
"""Seconds to wait for another command that holds the lock."""
QUIET = 1.0
"""Seconds of waiting before it is said."""

Stamp = tuple[int, int, int]
"""Which file it is, and of when: inode, time of change in ns, size."""


class Target:
    """A file under lock, to be read and replaced. Made by `locked`."""

    def __init__(self, path: bytes, shown: str) -> None:
        self.path = path
        self.shown = shown
        self.seen: Stamp | None = _stamp_of(path)
        self.replaced = False
        """Whether the file is the new one; from then on there is no way back."""

    @property
    def exists(self) -> bool:
        return self.seen is not None

    def read(self) -> bytes:
        """Returns the file's bytes; raises FileTrouble, also where it is nothing that `replace` replaces."""
        try:
            self._regular()
        except OSError as error:
            raise trouble(self.shown, error, "can't be read") from None
        data, self.seen = _read(self.path, self.shown)
        return data

    def replace(self, data: bytes) -> None:
        """Puts a new file of these bytes in the old one's place, or raises FileTrouble and leaves it."""
        try:
            self._replace(data)
        except OSError as error:
            raise trouble(self.shown, error, "can't be written") from None

    def _replace(self, data: bytes) -> None:
        old = self._replaceable()
        temporary = temporary_of(self.path)
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as out:
                if old is not None:
                    _keep_owner_and_mode(out.fileno(), old)
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            if _stamp_of(self.path) != self.seen:
                raise FileTrouble(
                    self.shown, "changed under way by another program: nothing was written, try again"
                )
            self._rename(temporary)
        except BaseException:
            if not self.replaced:
                with suppress(OSError):
                    os.unlink(temporary)
            raise

    def _regular(self) -> os.stat_result | None:
        """Tells of the old file, if there is one; raises FileTrouble for a folder, a pipe, a device."""
        try:
            old = os.stat(self.path)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(old.st_mode):
            folder = stat.S_ISDIR(old.st_mode)
            raise FileTrouble(
                self.shown, IS_FOLDER if folder else "is no regular file, and can't be replaced"
            )
        return old

    def _replaceable(self) -> os.stat_result | None:
        old = self._regular()
        if old is None:
            return None
        if not old.st_mode & 0o222 or not os.access(self.path, os.W_OK):
            raise FileTrouble(
                self.shown,
                "has no write permission, so it is not replaced: allow writing, or name another file",
            )
        return old

    def _rename(self, temporary: bytes) -> None:
        """Renames with Ctrl-C held back, so that it is always known whether the save was replaced."""
        import signal

        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            os.replace(temporary, self.path)
            self.replaced = True
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def read(path: bytes) -> bytes:
    """Returns a file's bytes, at most `LARGEST`; raises FileTrouble. Removes what a killed process left."""
    shown = name_of(path)
    _check_name(path, shown)
    try:
        return _read(path, shown)[0]
    finally:
        sweep(path)


def read_stream(descriptor: int, shown: str) -> bytes:
    """Returns what an open stream holds, at most `LARGEST` bytes; raises FileTrouble."""
    try:
        with open(descriptor, "rb", closefd=False) as stream:
            return read_open(stream, shown)
    except OSError as error:
        raise trouble(shown, error, "can't be read") from None


def read_open(stream: BinaryIO, shown: str) -> bytes:
    """Returns what an open stream still holds, at most `LARGEST` bytes; raises FileTrouble, OSError."""
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _too_large(shown)
    return data


@contextmanager
def locked(path: bytes, waiting: Callable[[str], None] | None = None) -> Iterator[Target]:
    """Gives the file at a path, symbolic links followed, under the lock of its folder; raises FileTrouble.

    `waiting` is called once with the name of the file where another command holds the lock for over a second.
    """
    shown = name_of(path)
    _check_name(path, shown)
    try:
        real = _followed(path)
        folder = os.open(os.path.dirname(real), os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise trouble(shown, error, "its folder can't be opened") from None
    try:
        _wait_for_lock(folder, shown, waiting)
        _unlink_left_over(real)
        yield _target(real, shown)
    finally:
        _close(folder)


def name_of(path: bytes) -> str:
    """Returns a path as the text that messages show: read as UTF-8, as arguments are, whatever the locale."""
    return path.decode("utf-8", "surrogateescape")


def temporary_of(path: bytes) -> bytes:
    """Returns the name of the temporary file for a save: fixed, and short however long the save's name is."""
    from zlib import crc32

    folder, name = os.path.split(path)
    return os.path.join(folder, b".cardsol-%08x.tmp" % crc32(name))


def trouble(shown: str, error: OSError, doing: str) -> FileTrouble:
    """Returns an operating system's error as one of ours."""
    return FileTrouble(shown, f"{doing}: {os.strerror(error.errno) if error.errno else error}")


def _check_name(path: bytes, shown: str) -> None:
    """Raises FileTrouble for what can be no file's name, and what another name would be taken for."""
    if not path or b"\0" in path:
        raise FileTrouble(shown, "is no name of a file")
    if path.endswith(b"/"):
        raise FileTrouble(shown, "names a folder: name a file in it")


def _followed(path: bytes) -> bytes:
    """Returns where a path leads, symbolic links followed, whether or not a file is there; raises OSError.

    A link that can't be read is an error here. `os.path.realpath` takes it for a file unless it is strict, and
    the rename would then put a file in the link's place.
    """
    try:
        return os.path.realpath(path, strict=True)
    except FileNotFoundError:
        folder, name = os.path.split(path)
        there = os.path.join(os.path.realpath(folder or b".", strict=True), name)
    try:
        link = os.readlink(there)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINVAL):  # no file, or one that was made just now
            return there
        raise
    return _followed(os.path.join(os.path.dirname(there), link))


def _close(descriptor: int) -> None:
    """Closes what was only read or locked: an error there loses nothing, and must not hide how it went."""
    with suppress(OSError):
        os.close(descriptor)


def _target(real: bytes, shown: str) -> Target:
    try:
        return Target(real, shown)
    except OSError as error:
        raise trouble(shown, error, "can't be opened") from None


def _read(path: bytes, shown: str) -> tuple[bytes, Stamp]:
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise FileTrouble(shown, IS_FOLDER)
            if status.st_size > LARGEST:
                raise _too_large(shown)
            return read_stream(descriptor, shown), _stamp(status)
        finally:
            _close(descriptor)
    except FileNotFoundError as error:
        raise NoFile(shown, f"can't be read: {error.strerror}") from None
    except OSError as error:
        raise trouble(shown, error, "can't be read") from None


def _too_large(shown: str) -> FileTrouble:
    return FileTrouble(shown, f"is larger than {LARGEST // 2**20} MB, which no save is")


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_mtime_ns, status.st_size


def _stamp_of(path: bytes) -> Stamp | None:
    try:
        return _stamp(os.stat(path))
    except FileNotFoundError:
        return None


def _keep_owner_and_mode(descriptor: int, old: os.stat_result) -> None:
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _wait_for_lock(folder: int, shown: str, waiting: Callable[[str], None] | None) -> None:
    import fcntl
    import time

    start = time.monotonic()
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise trouble(shown, error, "its folder can't be locked") from None
            waited = time.monotonic() - start
            if waiting is not None and waited > QUIET:
                waiting(shown)
                waiting = None
            if waited > PATIENCE:
                raise FileTrouble(
                    shown, f"another command has kept its folder locked for {PATIENCE:g} s: try again"
                ) from None
        time.sleep(0.005)


def _unlink_left_over(path: bytes) -> None:
    with suppress(OSError):
        os.unlink(temporary_of(path))


def sweep(path: bytes) -> None:
    """Removes what a killed process left beside a save, or where it was to make one, unless another is at work."""
    with suppress(OSError):
        _sweep(os.path.realpath(path))


def _sweep(path: bytes) -> None:
    """Removes what a killed process left; raises OSError where another command is at work on the folder."""
    if not os.path.lexists(temporary_of(path)):
        return
    import fcntl

    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _unlink_left_over(path)
    finally:
        _close(folder)

"""`python -m drawbridge generate`: writes a module with the types of the actions of an instance."""

from __future__ import annotations

import argparse
import os
import re
import sys
import unicodedata
import uuid
from collections.abc import Sequence
from pathlib import Path

import httpx

from ._errors import DrawbridgeError
from ._request import require_url
from ._write_catalog import HEAD, write_catalog
from .catalog import read_catalog
from .client import Drawbridge

_ABOUT = "Writes a Python module with the types of the actions of an instance. DRAWBRIDGE_URL and DRAWBRIDGE_KEY name the instance and the key."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `python -m drawbridge`. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m drawbridge")
    command = parser.add_subparsers(dest="command", required=True).add_parser("generate", help=_ABOUT, description=_ABOUT)
    _add_options(command)
    return _generate(parser.parse_args(arguments))


def generate(arguments: Sequence[str] | None = None) -> int:
    """Runs `drawbridge-generate`. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="drawbridge-generate", description=_ABOUT)
    _add_options(parser)
    return _generate(parser.parse_args(arguments))


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, type=Path, help="the file to write, such as catalog.py")
    parser.add_argument("--integrations", help="the integrations to include, separated by commas; all by default")
    parser.add_argument("--insecure", action="store_true", help="allow an http address that is not on this machine")


def _generate(options: argparse.Namespace) -> int:
    names = None if options.integrations is None else [one.strip() for one in options.integrations.split(",") if one.strip()]
    try:
        _require_generated(options.out)
        with Drawbridge(_require_safe_url(require_url(None), options.insecure)) as client:
            text = write_catalog(read_catalog(client, names))
        _write_whole(options.out, text)
    except (DrawbridgeError, ValueError, OSError) as error:
        print(f"No module was written: {_visible(str(error))}", file=sys.stderr)
        return 1
    return 0


def _require_generated(file: Path) -> None:
    """Raises ValueError if the file exists and this program did not write it."""
    if not file.exists():
        return
    if not file.is_file():
        raise ValueError(f"{file} is not a file. Pass another --out.")
    mark = HEAD.partition("\n")[0].encode()
    with file.open("rb") as opened:
        if opened.read(len(mark)) != mark:
            raise ValueError(f"{file} exists and was not generated. Pass another --out, or remove it.")


def _require_safe_url(text: str, is_insecure: bool) -> str:
    """Returns the address. Raises ValueError if it contains credentials, or if the network could read the API key, because it is not encrypted."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = None
    if url is None or url.userinfo:
        shown = re.sub(r"//[^/]*@", "//…@", text[:200], count=1)
        raise ValueError(f"DRAWBRIDGE_URL must be an http or https URL without credentials (got {shown})")
    if url.scheme == "https" or is_insecure or _is_loopback(url.host):
        return text
    raise ValueError(f"{text} is not encrypted, and the network could read the API key. Use https, or pass --insecure on a network that you trust.")


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.[0-9]{1,3}){3}", host) is not None


def _write_whole(file: Path, text: str) -> None:
    """Writes a file so that a reader sees the old text or the new one, also if the program ends early. Follows a symbolic link."""
    target = file.resolve()
    draft = target.with_name(f"{target.name}.{uuid.uuid4()}")
    try:
        with draft.open("x", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _visible(text: str) -> str:
    """Returns the text with control characters written as code points, so that it cannot control a terminal: `⟨U+001B⟩`."""
    return "".join(f"⟨U+{ord(one):04X}⟩" if _is_unseen(one) else one for one in text)


def _is_unseen(character: str) -> bool:
    """Returns True for control characters and for characters that reorder or hide their neighbors.

    Zero-width joiners remain visible text, because words of some languages and emoji contain them.
    """
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in "\n\t\u200c\u200d"


if __name__ == "__main__":
    sys.exit(main())

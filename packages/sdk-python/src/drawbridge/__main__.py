"""`python -m drawbridge generate`: writes a module with the types of the actions of an instance."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ._errors import DrawbridgeError
from ._write_catalog import write_catalog
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


def _generate(options: argparse.Namespace) -> int:
    names = None if options.integrations is None else [one.strip() for one in options.integrations.split(",") if one.strip()]
    try:
        with Drawbridge() as client:
            text = write_catalog(read_catalog(client, names))
        options.out.write_text(text, "utf-8")
    except (DrawbridgeError, ValueError, OSError) as error:
        print(f"No module was written: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The configuration that a person enters to connect a program to an MCP server."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any, Literal

McpProgram = Literal["claude-code", "cursor", "vscode", "json"]


@dataclass(frozen=True)
class McpSnippet:
    """A piece of configuration, and where it belongs."""

    target: str
    """The path of the file in the folder of the project, or `shell` if the text is a command."""
    text: str


def mcp_config(program: McpProgram, *, name: str, endpoint: str, token: str | None = None) -> McpSnippet:
    """Returns the configuration or the command that connects a program, such as Cursor, to an MCP server.

    :param program: The program. `json` is the format of most other programs.
    :param name: The name under which the program lists the server.
    :param endpoint: The `mcp_endpoint` of the server.
    :param token: A bearer token. Without one the program lets the person authorize it by OAuth.
    """
    headers = {"headers": {"Authorization": f"Bearer {token}"}} if token else {}
    server: dict[str, Any] = {"url": endpoint, **headers}
    if program == "claude-code":
        header = f" --header {shlex.quote(f'Authorization: Bearer {token}')}" if token else ""
        return McpSnippet("shell", f"claude mcp add --transport http {shlex.quote(name)} {shlex.quote(endpoint)}{header}")
    if program == "cursor":
        return McpSnippet(".cursor/mcp.json", _json({"mcpServers": {name: server}}))
    if program == "vscode":
        return McpSnippet(".vscode/mcp.json", _json({"servers": {name: {"type": "http", **server}}}))
    return McpSnippet("mcp.json", _json({"mcpServers": {name: {"type": "http", **server}}}))


def _json(value: object) -> str:
    return json.dumps(value, indent=2)

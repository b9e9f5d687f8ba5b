"""OAuth authorization for the official Python client. It prints the authorization URL to standard error for the user to open.

The client stores its tokens and registration in files of the home folder.
"""

import asyncio
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlparse

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken


class Storage:
    tokens = Path.home() / "tokens.json"
    client = Path.home() / "client.json"

    async def get_tokens(self):
        return OAuthToken.model_validate_json(self.tokens.read_text()) if self.tokens.exists() else None

    async def set_tokens(self, tokens):
        self.tokens.write_text(tokens.model_dump_json())

    async def get_client_info(self):
        return OAuthClientInformationFull.model_validate_json(self.client.read_text()) if self.client.exists() else None

    async def set_client_info(self, client_info):
        self.client.write_text(client_info.model_dump_json())


async def authorizing(url: str) -> OAuthClientProvider:
    """Returns the OAuth provider of the client. Listens on a free port for the redirect of the authorization."""
    answered = asyncio.get_running_loop().create_future()

    async def answer(reader, writer):
        target = (await reader.readline()).decode().split(" ")[1]
        said = {name: values[0] for name, values in parse_qs(urlparse(target).query).items()}
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        answered.set_result(AuthorizationCodeResult(code=said["code"], state=said.get("state"), iss=said.get("iss")))

    async def redirect(address):
        print(address, file=sys.stderr, flush=True)

    async def callback():
        return await answered

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    metadata = OAuthClientMetadata(client_name="Python", redirect_uris=[f"http://127.0.0.1:{port}/callback"])
    return OAuthClientProvider(url, metadata, Storage(), redirect, callback)

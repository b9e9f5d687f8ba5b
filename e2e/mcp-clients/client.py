"""Lists the tools of a server with the official Python client, calls one, and prints both as one JSON object.

If the token is `-`, a user authorizes the client. After tools/list the client then waits for a line on standard input, before
which the test expires the token on the server, and expires its own copy, so that it must refresh the token for tools/call.
"""

import asyncio
import json
import sys

from authorizing import authorizing
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


async def main(url: str, token: str, mode: str, tool: str, arguments: str) -> None:
    auth = await authorizing(url) if token == "-" else None
    headers = None if auth else {"Authorization": f"Bearer {token}"}
    async with create_mcp_http_client(headers=headers, auth=auth) as http_client:
        async with Client(streamable_http_client(url, http_client=http_client), mode=mode) as client:
            tools = await client.list_tools()
            # The client refreshes a token only if the token has expired by the client's clock and the OAuth metadata was read.
            if auth and auth.context.oauth_metadata:
                print("An hour goes by", file=sys.stderr, flush=True)
                await asyncio.to_thread(sys.stdin.readline)
                auth.context.token_expiry_time = 1
            result = await client.call_tool(tool, json.loads(arguments))
            print(
                json.dumps(
                    {
                        "revision": client.session.protocol_version,
                        "tools": [one.name for one in tools.tools],
                        "result": result.model_dump(by_alias=True, mode="json", exclude_none=True),
                    }
                )
            )


asyncio.run(main(*sys.argv[1:]))

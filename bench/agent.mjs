// An agent of an end user, connected to a new MCP server of the product.
import { create } from './product.mjs';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/**
 * Creates an MCP server with this mode, and a token for the end user, who must exist. `list` and `call` return the results of `tools/list` and
 * `tools/call`.
 */
export async function openAgent(product, { workspaceId, endUserId, mode }) {
  const fields = { name: `Bench ${mode}`, workspaceId, mode, authMode: 'bearer' };
  const { server, mcpEndpoint } = await create(product, '/api/v1/mcp/servers', fields);
  const { accessToken } = await create(product, `/api/v1/mcp/servers/${server.id}/access-tokens`, { endUserId });
  const send = (method, params) => sendTo(mcpEndpoint, accessToken, { method, params });
  return {
    serverId: server.id,
    list: async () => (await send('tools/list', {})).tools,
    call: (name, args) => send('tools/call', { name, arguments: args }),
  };
}

async function sendTo(url, token, { method, params }) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
  const { result, error } = await (await fetch(url, { method: 'POST', headers, body })).json();
  if (error) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
  if (result.isError) throw new Error(`${params.name} failed: ${result.content[0].text}`);
  return result;
}

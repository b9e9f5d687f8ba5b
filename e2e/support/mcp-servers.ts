import { type Answer, type Api } from './api.js';

export const MCP_SERVERS = '/api/v1/mcp/servers';

export const createServer = (api: Api, workspaceId: string, fields: object = {}): Promise<Answer> =>
  api.post(MCP_SERVERS, { name: 'Agent', workspaceId, ...fields });

/** What the creation answered. Throws where it failed. */
export async function newServer(api: Api, workspaceId: string, fields: object = {}): Promise<any> {
  const { status, body } = await createServer(api, workspaceId, fields);
  if (status !== 201) throw new Error(`Creating an MCP server answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

// Lists the tools of a server with the MCP client of the AI SDK, calls one as its agents do, and prints both as one JSON object.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const fetched = createRequire(join(import.meta.dirname, '../../.cache/mcp-clients/package.json'));
const { createMCPClient } = fetched('@ai-sdk/mcp');

const [url, token, name, args] = process.argv.slice(2);
const transport = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
const client = await createMCPClient({ transport });
try {
  const tools = await client.tools();
  const result = await tools[name].execute(JSON.parse(args), { toolCallId: '1', messages: [] });
  console.log(JSON.stringify({ tools: Object.keys(tools), result }));
} finally {
  await client.close();
}

// A minimal MCP server with the official SDK. It lists the tools in the file that its argument specifies. Every call computes a hash. The server
// checks no tokens, evaluates no policies and stores nothing. `pnpm mcp-clients` downloads the SDK.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const fetched = createRequire(join(import.meta.dirname, '../.cache/mcp-clients/package.json'));
const { createMcpHandler, Server } = fetched('@modelcontextprotocol/server');
const { toNodeHandler } = fetched('@modelcontextprotocol/node');

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'));

/** Uses the low-level server, created for each request, because it is the cheapest option of the SDK. */
function factory() {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { text, algorithm } = params.arguments;
    const structuredContent = { result: createHash(algorithm).update(text).digest('hex') };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

const server = createServer(toNodeHandler(createMcpHandler(factory, { responseMode: 'json' })));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));

import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type AgentServer } from './agents.js';

export interface WithToken {
  url: string;
  stop(): Promise<void>;
}

/** Starts a proxy that adds the server's token to each request, for clients that cannot send a token. */
export async function withToken({ baseUrl, path, token }: AgentServer): Promise<WithToken> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = request(new URL(incoming.url ?? path, baseUrl), { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.once('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type Place } from './mcp-clients.js';
import { type Use } from './official-clients.js';

/** Runs the official TypeScript client in this process. It stores its state in the folder of `place`, like a separate client. */
export const typescriptClient: Use = async (server, tool, args, place) => {
  const listener = await listen();
  const authProvider = providerAt(place!, listener.url);
  const url = new URL(server.path, server.baseUrl);
  const connected = async (): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    return client;
  };
  try {
    const client = await connected().catch(async (error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error;
      await new StreamableHTTPClientTransport(url, { authProvider }).finishAuth(await listener.answered);
      return connected();
    });
    const { tools } = await client.listTools();
    const result = await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
    await client.close();
    return { tools: tools.map(({ name }) => name), result };
  } finally {
    listener.stop();
  }
};

function providerAt({ home, hear }: Place, redirectUrl: string): OAuthClientProvider {
  const file = join(home, 'state.json');
  const state = (): any => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  const keep = (more: object): void => writeFileSync(file, JSON.stringify({ ...state(), ...more }));
  return {
    redirectUrl,
    clientMetadata: { client_name: 'TypeScript', redirect_uris: [redirectUrl] },
    clientInformation: () => state().client,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => state().tokens,
    saveTokens: (tokens) => keep({ tokens }),
    invalidateCredentials: () => keep({ tokens: undefined }),
    saveDiscoveryState: (discovery) => keep({ discovery }),
    discoveryState: () => state().discovery,
    saveCodeVerifier: (verifier) => keep({ verifier }),
    codeVerifier: () => state().verifier,
    redirectToAuthorization: (url) => hear?.(`${url.href}\n`),
  };
}

/** Listens for the redirect of the authorization. */
async function listen() {
  let resolve!: (params: URLSearchParams) => void;
  const answered = new Promise<URLSearchParams>((settle) => (resolve = settle));
  const server = createServer((request, response) => {
    response.end();
    resolve(new URL(request.url ?? '', 'http://127.0.0.1').searchParams);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/callback`, answered, stop: () => server.close() };
}

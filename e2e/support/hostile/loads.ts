import { randomBytes } from 'node:crypto';
import { newApiKey } from '@drawbridge/contracts';
import { apiOf } from '../api.js';
import { BODIES, PACKED } from './bodies.js';
import { policyLoads } from './policy-loads.js';
import { openSlowSockets, openIdleSockets, openUnreadSockets } from './sockets.js';
import { type Stage, inParallel } from './stage.js';
import { RESPONSES } from './third-party.js';

export type Load = (stage: Stage) => Promise<unknown>;

const JSON_TYPE = { 'content-type': 'application/json' };
const LOAD_MS = 8_000;
/** Number of pipelined requests: the most that the gateway accepts on one connection. Each requests the largest response that needs no key. */
export const UNREAD = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(8);

/** Attacks by one caller, with or without a key, or by one provider. Each attack ends by itself within seconds. */
export const LOADS: Record<string, Load> = {
  ...callers(),
  ...bodies(),
  ...connections(),
  ...tenants(),
  ...policyLoads(),
  ...thirdParties(),
};

function callers(): Record<string, Load> {
  return {
    'two hundred unknown keys': ({ baseUrl }) =>
      inParallel(200, () => apiOf(baseUrl, newApiKey()).get('/api/v1/workspaces')),
    'unknown keys on public paths': ({ baseUrl }) =>
      inParallel(300, (index) => apiOf(baseUrl, `svc_${index}`).get(`/docs/${index}`)),
    'a flood of /readyz': ({ baseUrl }) => inParallel(300, () => apiOf(baseUrl).get('/readyz')),
    'fifty passwords of unknown users': ({ baseUrl }) =>
      inParallel(50, (index) => {
        const form = new URLSearchParams({ email: `unknown-${index}@example.com`, password: 'y'.repeat(20) });
        return fetch(`${baseUrl}/sign-in`, { method: 'POST', headers: { origin: baseUrl }, body: form });
      }),
    'a flood of /docs': ({ baseUrl }) => inParallel(100, () => apiOf(baseUrl).get('/api/v1/openapi.json')),
    'content types of 15 kB': ({ baseUrl, attacker }) => {
      const headers = { 'content-type': `application/json; charset=${'"'.repeat(15_000)}` };
      const send = [apiOf(baseUrl), attacker].map(
        (api) => () => api.send('POST', '/api/v1/workspaces', { headers, text: '{}' }),
      );
      return inParallel(40, (index) => send[index % 2]!());
    },
    'queries of 15 kB': ({ attacker }) =>
      inParallel(50, (index) => attacker.get(`/api/v1/connections?${'limit=1&'.repeat(1_800)}${index}`)),
    'paths of 15 kB': ({ attacker }) => inParallel(50, () => attacker.get(`/api/v1/workspaces/${'%41'.repeat(5_000)}`)),
  };
}

/** Sends each body with and without a key, to the operation with the largest body limit and to an operation that declares no body. */
function bodies(): Record<string, Load> {
  const send = ({ baseUrl, attacker }: Stage, text: string | Buffer, headers: Record<string, string>) => {
    const sent = { headers: { ...JSON_TYPE, ...headers }, text: text as string, signal: AbortSignal.timeout(LOAD_MS) };
    const path = '/api/v1/actions/execute';
    return Promise.allSettled([
      ...[apiOf(baseUrl), attacker, attacker].map((api) => api.send('POST', path, sent)),
      attacker.send('POST', '/api/v1/connections', sent),
      attacker.send('DELETE', '/api/v1/api-keys/01890000-0000-7000-8000-000000000000', sent),
    ]);
  };
  const plain = Object.entries(BODIES).map(([name, text]) => [
    `body: ${name}`,
    (stage: Stage) => send(stage, text, {}),
  ]);
  const packed = Object.entries(PACKED).map(([name, bytes]) => [
    `gzip: ${name}`,
    (stage: Stage) => send(stage, bytes, { 'content-encoding': 'gzip' }),
  ]);
  return Object.fromEntries([...plain, ...packed]);
}

function connections(): Record<string, Load> {
  const request = (lines: string[]): string => `GET /healthz HTTP/1.1\r\n${lines.join('\r\n')}`;
  return {
    'silent connections': ({ baseUrl }) => openIdleSockets(baseUrl, 400),
    'headers that never end': ({ baseUrl }) => openSlowSockets(baseUrl, 200, request(['Host: a', 'X-A: '])),
    'bodies that never end': ({ baseUrl }) =>
      openSlowSockets(
        baseUrl,
        200,
        'POST /api/v1/actions/execute HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n',
      ),
    'bytes that are not HTTP': ({ baseUrl }) => openIdleSockets(baseUrl, 200, randomBytes(4_000)),
    'headers above the limit': ({ baseUrl }) => openIdleSockets(baseUrl, 100, request([`X-A: ${'a'.repeat(20_000)}`])),
    'five thousand pipelined requests': ({ baseUrl }) =>
      openIdleSockets(baseUrl, 2, request(['Host: a', '', '']).repeat(5_000)),
    'unread responses': ({ baseUrl }) => openUnreadSockets(baseUrl, 200, UNREAD),
    'callers that disconnect': ({ attacker, workspaceId }) =>
      inParallel(100, (index) => {
        const body = {
          workspaceId,
          integrationName: 'hash-encode',
          actionName: 'hash',
          input: { text: 'a', algorithm: 'md5' },
        };
        const signal = AbortSignal.timeout(1 + (index % 20));
        return attacker.send('POST', '/api/v1/actions/execute', { body, signal }).catch(() => undefined);
      }),
  };
}

function tenants(): Record<string, Load> {
  const hash = (text: string) => ({
    integrationName: 'hash-encode',
    actionName: 'encode',
    input: { text, encoding: 'hex' },
  });
  return {
    'actions on large texts': ({ execute }) => inParallel(40, () => execute(hash('\u{1F600}'.repeat(200_000)))),
    'a hundred runs under one key': ({ execute }) =>
      inParallel(100, () => execute({ ...hash('a'), idempotencyKey: 'one' })),
    'waiters for a hanging run': ({ callThirdParty, execute }) =>
      Promise.all([
        callThirdParty('hang', 'plain', { timeoutSeconds: 2 }),
        inParallel(60, () => execute({ ...held(), idempotencyKey: 'held' })),
      ]),
    'configured integrations with large settings': async ({ ask, workspaceId, execute }) => {
      const settings = { note: 'x'.repeat(15_000) };
      const path = `/api/v1/workspaces/${workspaceId}/integrations`;
      await inParallel(60, (index) =>
        ask('POST', path, { integrationName: 'hash-encode', alias: `h${index}`, settings }),
      );
      await Promise.all([
        inParallel(30, () => execute({ ...hash('a'), integrationAlias: 'h1' })),
        inParallel(10, () => ask('GET', path)),
      ]);
    },
    'settings above the limit': ({ ask, workspaceId }) =>
      inParallel(8, (index) => {
        const settings = { note: 'x'.repeat(900_000) };
        return ask('POST', `/api/v1/workspaces/${workspaceId}/integrations`, {
          integrationName: 'http',
          alias: `s${index}`,
          settings,
        });
      }),
    'credentials above the limit': ({ ask }) =>
      inParallel(8, (index) => {
        const props = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, `secret ${at}`]));
        const names = {
          type: 'CUSTOM_AUTH',
          integrationName: 'http',
          externalId: `big ${index}`,
          displayName: 'Big',
          props,
        };
        return ask('POST', '/api/v1/connections', names);
      }),
    'lists at their limits': ({ ask }) =>
      inParallel(100, (index) => ask('GET', `/api/v1/executions?limit=100&cursor=${index % 2 ? '' : 'x'}`)),
    'a burst of new connections': ({ ask }) =>
      inParallel(100, (index) => {
        const names = { type: 'SECRET_TEXT', integrationName: 'http', externalId: `b${index}`, displayName: 'B' };
        return ask('POST', '/api/v1/connections', { ...names, secretText: `secret ${index}` });
      }),
  };
}

function held(): object {
  const input = { method: 'GET', url: 'https://api.example.com/hang', timeoutSeconds: 2 };
  return { integrationName: 'http', actionName: 'send_request', connectionExternalId: 'plain', input };
}

/**
 * Calls the provider for each of its responses, with the credential that makes the response most expensive. Large responses are requested many times
 * in parallel.
 */
function thirdParties(): Record<string, Load> {
  const responses = Object.keys(RESPONSES).map((name): [string, Load] => [
    `a provider response: ${name}`,
    ({ callThirdParty }) => inParallel(8, () => callThirdParty(name)),
  ]);
  return {
    ...Object.fromEntries(responses),
    'a large response with many secrets': ({ callThirdParty }) => inParallel(4, () => callThirdParty('near', 'many')),
    'an echo of many secrets': ({ callThirdParty }) => inParallel(20, () => callThirdParty('echo', 'many')),
    'a long secret of escapable characters': ({ callThirdParty }) =>
      Promise.all([
        inParallel(10, () => callThirdParty('echo', 'escapable')),
        inParallel(10, () => callThirdParty('echo', 'escapable', { method: 'POST', text: '"&‹\'é'.repeat(6_000) })),
      ]),
    'secrets of one letter': ({ callThirdParty }) => inParallel(10, () => callThirdParty('redacted', 'short')),
    'sixty concurrent large responses': ({ callThirdParty }) => inParallel(60, () => callThirdParty('large')),
    'two hundred hanging calls': ({ callThirdParty }) =>
      inParallel(200, () => callThirdParty('hang', 'plain', { timeoutSeconds: 2 })),
  };
}

import { type Request } from 'express';
import { requireOwnSite, siteOf } from './site.js';

interface Sent {
  host?: string;
  origin?: string;
  proxies?: number;
}

function request({ host = 'localhost:8080', origin, proxies = 0 }: Sent): Request {
  const headers: Record<string, string | undefined> = { host, origin };
  const app = { get: () => proxies };
  return { get: (name: string) => headers[name], protocol: 'http', app } as unknown as Request;
}

const allows = (baseUrl: string, sent: Sent): boolean => {
  try {
    requireOwnSite(request(sent), siteOf(baseUrl));
    return true;
  } catch {
    return false;
  }
};

const OURS = 'https://tools.example.com/bridge';

it.each<[string, Sent, boolean]>([
  ['', { host: 'localhost:8080' }, true],
  ['', { host: 'LOCALHOST' }, true],
  ['', { host: '127.0.0.1:8080' }, true],
  ['', { host: '[::1]:8080' }, true],
  ['', { host: '10.0.0.7' }, true],
  ['', { host: 'evil.example.com' }, false],
  ['', { host: 'localhost.evil.example.com' }, false],
  ['', { host: '127.0.0.1.evil.example.com' }, false],
  ['', { host: '' }, false],
  [OURS, { host: 'tools.example.com' }, true],
  [OURS, { host: 'Tools.Example.com:443' }, true],
  [OURS, { host: 'evil.example.com' }, false],
  [OURS, { host: 'gateway.internal', proxies: 1 }, true],
  ['', { origin: 'http://localhost:8080' }, true],
  ['', { origin: 'http://localhost:9' }, false],
  ['', { origin: 'http://evil.example.com', host: 'evil.example.com' }, false],
  ['', { origin: 'null' }, false],
  [OURS, { host: 'tools.example.com', origin: 'https://tools.example.com' }, true],
  [OURS, { host: 'tools.example.com', origin: 'https://evil.example.com' }, false],
  [OURS, { host: 'gateway.internal', origin: 'https://evil.example.com', proxies: 1 }, false],
])('at %j takes %j: %s', (baseUrl, sent, isAllowed) => {
  expect(allows(baseUrl, sent)).toBe(isAllowed);
});

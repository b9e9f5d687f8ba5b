import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ApiError } from '@drawbridge/contracts';
import express, { type RequestHandler } from 'express';
import { requestContext } from '../../http/request-context.js';
import { siteOf } from '../../http/site.js';
import { PAGE_PATHS } from '../pages.js';
import { pageError } from './page-error.js';

const SESSION = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const LIMITED: RequestHandler = () => {
  throw new ApiError('RATE_LIMITED', 'Too many requests', { details: { retryAfter: 60 } });
};

let server: Server;

beforeAll(async () => {
  const log = { info: () => undefined, debug: () => undefined, warn: () => undefined, error: () => undefined };
  const kit = { site: siteOf(''), stylesheet: { path: '/style.css' } };
  const app = express().use(requestContext(log as never, new AbortController().signal), LIMITED);
  app.use(PAGE_PATHS, pageError(kit as never));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Returns the opener policy of the error page of a path. */
async function policyOf(path: string): Promise<string | null> {
  const { status, headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  expect(status).toBe(429);
  return headers.get('cross-origin-opener-policy');
}

it.each([
  '/connect?token=t',
  '/connect/callback?code=c',
  `/connect/${SESSION}`,
  '/oauth/authorize?client_id=c',
  '/oauth/authorize/code',
  '/sign-in?next=%2Foauth%2Fauthorize%3Fclient_id%3Dc',
  '/sign-in/email?next=/oauth/authorize',
  '/sign-out?next=/oauth/authorize',
  '/Sign-In?next=/OAuth/Authorize',
  '/CONNECT?token=t',
])('an error page of %s preserves the reference to its opener, which waits for the outcome', async (path) => {
  expect(await policyOf(path)).toBe('unsafe-none');
});

it.each([
  '/connect/portal?token=t',
  `/connect/portal/${SESSION}`,
  '/account',
  '/account?next=/oauth/authorize',
  '/approvals/1?token=t',
  '/sign-in',
  '/sign-in?next=/account',
  '/sign-out',
  '/connect/PORTAL?token=t',
  '/sign-in?next=/oauth/authorize/../../account',
  '/sign-in?next=//evil.example/oauth/authorize',
  '/sign-in?next=/oauth/authorize&next=/account',
])('an error page of %s drops its opener, as its other pages do', async (path) => {
  expect(await policyOf(path)).toBe('same-origin');
});

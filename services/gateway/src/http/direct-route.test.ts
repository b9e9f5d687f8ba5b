import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { directRoute } from './route-table.js';

let server: Server;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** Serves POST /a directly with the handlers, and any other request with Express. Returns a function that sends a request and reads its response. */
async function serving(...handlers: RequestHandler[]): Promise<(method: string, path: string) => Promise<string>> {
  const app = express().use(directRoute('POST', '/a', handlers));
  app.use((_request, response) => void response.send('Express'));
  app.use(
    ((error, _request, response, _next) => void response.send(`error ${error.message}`)) as express.ErrorRequestHandler,
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (method, path) => (await fetch(`http://127.0.0.1:${port}${path}`, { method })).text();
}

const pass: RequestHandler = (_request, _response, next) => next();
const answer: RequestHandler = (_request, response) => void response.send('direct');

it('serves the exact method and URL alone', async () => {
  const send = await serving(pass, async (_request, _response, next) => next(), answer);
  expect(await send('POST', '/a')).toBe('direct');
  for (const path of ['/a/', '/A', '/a?b', '/b', '//a']) expect(await send('POST', path)).toBe('Express');
  expect(await send('GET', '/a')).toBe('Express');
});

it.each<[string, RequestHandler, string?]>([
  [
    'throws',
    () => {
      throw new Error('x');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('x'))],
  ['rejects without a reason', async () => Promise.reject(undefined), 'A handler failed without a reason'],
  ['passes an error on', (_request, _response, next) => next(new Error('x'))],
])('hands the error of a handler that %s to Express, and runs none after it', async (_how, failing, message = 'x') => {
  expect(await (await serving(pass, failing, answer))('POST', '/a')).toBe(`error ${message}`);
});

it('continues with Express after a last handler that passes the request on', async () => {
  expect(await (await serving(pass))('POST', '/a')).toBe('Express');
});

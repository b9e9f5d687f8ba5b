import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import express from 'express';
import { messageClasses } from './message-classes.js';

it('creates requests and responses that Express does not have to change', async () => {
  const app = express();
  const prototypes: unknown[] = [];
  app.use((request, response) => {
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.json({ host: request.get('host'), isOurs: request.app === app && response.app === app });
  });
  const server = createServer(messageClasses(app), (request, response) => {
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const answer = await fetch(`http://${host}/`);
    expect(await answer.json()).toEqual({ host, isOurs: true });
    expect(prototypes[2]).toBe(prototypes[0]);
    expect(prototypes[3]).toBe(prototypes[1]);
  } finally {
    server.close();
  }
});

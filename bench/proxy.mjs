// A minimal express reverse proxy, for comparison. It parses, checks and stores nothing.
//   node proxy.mjs http://127.0.0.1:PORT
import { Agent, request as send } from 'node:http';
import express from 'express';

const target = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const app = express();

app.use((request, response) => {
  const { method, url: path, headers } = request;
  const outgoing = send(target, { agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});

const server = app.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
server.keepAliveTimeout = 60_000;

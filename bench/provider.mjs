// The provider: a local HTTP service that responds like GitHub when an issue is created. It never responds to requests for acme/hangs.
import { createServer } from 'node:http';
import { toIssue } from './issue.mjs';

let number = 0;

const server = createServer((request, response) => {
  if (request.url.startsWith('/repos/acme/hangs/')) return;
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = JSON.stringify(toIssue(++number, JSON.parse(Buffer.concat(chunks).toString())));
    const length = Buffer.byteLength(answer);
    response.writeHead(201, { 'content-type': 'application/json; charset=utf-8', 'content-length': length });
    response.end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createEgress, type Egress } from './index.js';

/** Parses only the headers of requests, so the body of a request is treated as the next request (RFC 9112, 11.2). */
function naiveServer(): Server {
  return createServer((socket) => {
    let read = '';
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        read += bytes.toString();
        for (let end = read.indexOf('\r\n\r\n'); end >= 0; end = read.indexOf('\r\n\r\n')) {
          const head = read.slice(0, end);
          read = read.slice(end + 4);
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(head)}\r\n\r\n${head}`);
        }
      });
  });
}

let server: Server;
let egress: Egress;
let url: string;

beforeEach(async () => {
  server = naiveServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  egress = createEgress({ allow: ['127.0.0.1'] });
});
afterEach(async () => {
  await egress.close();
  server.close();
});

it('a smuggled request of one tenant is not part of the request of another', async () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nX-Rest: ';
  await egress.sendFor('mallory')({ method: 'POST', url: `${url}/innocent`, body: smuggled });
  await new Promise(setImmediate); // wait until the connection is idle
  await new Promise(setImmediate);
  const headers = { authorization: 'Bearer of-acme' };
  const answer = await egress.sendFor('acme')({ method: 'GET', url: `${url}/own`, headers });
  expect(Buffer.from(answer.body).toString()).toMatch(/^GET \/own HTTP\/1\.1\r\n/);
});

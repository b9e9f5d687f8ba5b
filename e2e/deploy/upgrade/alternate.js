// A load balancer on loopback that sends each request to the next target.
import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Starts the load balancer. Returns its URL, the list of target URLs, to which targets can be added at any time, and a function that stops it. */
export async function alternate() {
  const targets = [];
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[count++ % targets.length];
    const { method, headers } = incoming;
    const forwarded = request(new URL(incoming.url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    targets,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo } from 'node:net';

export interface Front {
  /** The value of BASE_URL. It is known before the product listens. */
  url: string;
  /** Sets the product's address. All requests are forwarded to it. */
  leadTo(baseUrl: string): void;
  stop(): void;
}

const SECURE = { 'x-forwarded-proto': 'https' };

/** Starts a reverse proxy in front of the product, like an operator's, on a free loopback port or on `port`. With a certificate it uses TLS. */
export async function front(tls?: { cert: string; key: string }, port = 0): Promise<Front> {
  let target = '';
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { method, url, headers: given } = asked;
    const headers = { ...given, 'x-forwarded-for': String(asked.socket.remoteAddress), ...(tls && SECURE) };
    const onward = request(target + url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  };
  const server = tls ? createTlsServer(tls, pass) : createServer(pass);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (baseUrl) => void (target = baseUrl),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createEgress } from './index.js';
import { SELF_SIGNED } from './testing/self-signed.js';

let server: Server;
let port: number;
let names: string[];
let requests: number;

beforeEach(async () => {
  names = [];
  requests = 0;
  const SNICallback = (name: string, done: (error: null, context: ReturnType<typeof createSecureContext>) => void) => {
    names.push(name);
    done(null, createSecureContext(SELF_SIGNED));
  };
  server = createServer({ ...SELF_SIGNED, SNICallback }, (_, res) => {
    requests++;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

describe('an untrusted certificate', () => {
  it.each(['self-signed.example', 'self-signed.example.', '127.0.0.1'])(
    'of %s is refused and nothing is sent',
    async (host) => {
      const egress = createEgress({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
      const sending = egress.sendFor('acme')({ method: 'POST', url: `https://${host}:${port}/`, body: 'x' });
      await expect(sending).rejects.toMatchObject({
        code: 'UNREACHABLE',
        sent: false,
        message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
      });
      await egress.close();
      expect(requests).toBe(0);
      expect(names).toEqual(host === '127.0.0.1' ? [] : ['self-signed.example']);
    },
  );

  it('is refused whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const egress = createEgress({ allow: ['127.0.0.1'] });
      const sending = egress.sendFor('acme')({ method: 'GET', url: `https://127.0.0.1:${port}/` });
      await expect(sending).rejects.toMatchObject({ code: 'UNREACHABLE' });
      await egress.close();
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

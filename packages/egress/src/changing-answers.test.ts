import { createEgress, type Egress } from './index.js';
import { recordingConnect, startCountingServer, type CountingServer } from './testing/counting-server.js';

const PUBLIC = '93.184.215.14';
const URL = 'http://changing.example/';

let server: CountingServer;
let egress: Egress;
let asked: string[];
let recorded: ReturnType<typeof recordingConnect>;

/** Makes the resolver return each entry once, in order, and then repeat the last entry. */
function setUp(...answers: string[][]): void {
  asked = [];
  recorded = recordingConnect(server.port);
  const resolve = async (host: string) => {
    asked.push(host);
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  };
  egress = createEgress({ resolve, connect: recorded.connect });
}

beforeEach(async () => {
  server = await startCountingServer((req, res) => {
    if (req.url === '/close') res.setHeader('connection', 'close');
    res.end('ok');
  });
});
afterEach(async () => {
  await egress.close();
  await server.close();
});

describe('a name with changing addresses', () => {
  it('is connected to at the address that was checked, without a second question', async () => {
    setUp([PUBLIC], ['127.0.0.1']);
    expect((await egress.sendFor('acme')({ method: 'GET', url: URL })).status).toBe(200);
    expect(asked).toEqual(['changing.example']);
    expect(recorded.addresses).toEqual([PUBLIC]);
  });

  it('keeps the connection to the checked address for the next request', async () => {
    setUp([PUBLIC], ['127.0.0.1']);
    await egress.sendFor('acme')({ method: 'GET', url: URL });
    // undici releases a connection one event loop iteration after its response.
    await new Promise(setImmediate);
    expect((await egress.sendFor('acme')({ method: 'GET', url: URL })).status).toBe(200);
    expect(recorded.addresses).toEqual([PUBLIC]);
    expect(server.connections()).toBe(1);
  });

  it('is checked again for a new connection', async () => {
    setUp([PUBLIC], ['127.0.0.1']);
    await egress.sendFor('acme')({ method: 'GET', url: `${URL}close` });
    await expect(egress.sendFor('acme')({ method: 'GET', url: URL })).rejects.toMatchObject({
      code: 'EGRESS_DENIED',
      sent: false,
    });
    expect(recorded.addresses).toEqual([PUBLIC]);
  });

  it('is checked for each of several connections opened at once', async () => {
    setUp([PUBLIC], ['10.0.0.1']);
    const sends = [1, 2, 3].map(() => egress.sendFor('acme')({ method: 'GET', url: URL }));
    const statuses = (await Promise.allSettled(sends)).map(({ status }) => status);
    expect(statuses).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(recorded.addresses).toEqual([PUBLIC]);
  });

  it('reaches a public address again once it has one', async () => {
    setUp(['10.0.0.1'], [PUBLIC]);
    await expect(egress.sendFor('acme')({ method: 'GET', url: URL })).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    expect((await egress.sendFor('acme')({ method: 'GET', url: URL })).status).toBe(200);
    expect(recorded.addresses).toEqual([PUBLIC]);
  });

  it('is tried at its other addresses when the first does not answer', async () => {
    setUp([PUBLIC, '93.184.215.15']);
    const tried: string[] = [];
    const other = createEgress({
      resolve: async () => [PUBLIC, '93.184.215.15'],
      connect: (to) => {
        tried.push(to.address);
        return to.address === PUBLIC ? Promise.reject(new Error('down')) : recorded.connect(to);
      },
    });
    expect((await other.sendFor('acme')({ method: 'GET', url: URL })).status).toBe(200);
    expect(tried).toEqual([PUBLIC, '93.184.215.15']);
    await other.close();
  });
});

import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { limitConnections, connectionLimits } from './connections.js';

const TOTAL = 4;
const FROM = { one: '127.0.0.1', other: '127.0.0.2' };

let server: Server;
let clients: Socket[];
let waiting: ServerResponse[];
let refused: string[];
let unread: Set<Socket>;

beforeEach(async () => {
  clients = [];
  waiting = [];
  refused = [];
  unread = new Set();
  server = createServer((_request, response) => void waiting.push(response));
  const refuse = (socket: Socket, full: string): void => {
    refused.push(full);
    socket.destroy();
  };
  limitConnections(server, { perNetwork: 3, total: TOTAL, isUnread: (socket) => unread.has(socket), refuse });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
});
afterEach(async () => {
  clients.forEach((client) => client.destroy());
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Resolves when the server has accepted the connection; it accepts connections in order. */
async function open(from: string): Promise<Socket> {
  const client = connect({ port: (server.address() as AddressInfo).port, localAddress: from });
  clients.push(client.on('error', () => undefined));
  await Promise.all([
    new Promise((resolve) => client.once('connect', resolve)),
    new Promise((resolve) => server.once('connection', resolve)),
  ]);
  return client;
}

async function openBusy(from: string): Promise<Socket> {
  const client = await open(from);
  const seen = new Promise((resolve) => server.once('request', resolve));
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await seen;
  return client;
}

const closed = (client: Socket): Promise<unknown> => new Promise((resolve) => client.resume().once('close', resolve));

describe('connections', () => {
  it('past the bound of a network are refused, and others of it stay', async () => {
    const own = [await open(FROM.one), await open(FROM.one), await open(FROM.one)];
    await closed(await open(FROM.one));
    expect({ refused, lost: own.filter(({ destroyed }) => destroyed) }).toEqual({ refused: ['network'], lost: [] });
  });

  it('past the total take the place of the longest idle one of the network with most', async () => {
    const busy = await openBusy(FROM.one);
    const [silent, later] = [await open(FROM.one), await open(FROM.one)];
    const neighbour = await open(FROM.other);
    const lost = closed(silent);
    const newcomer = await open(FROM.other);
    await lost;
    expect([busy, later, neighbour, newcomer].filter(({ destroyed }) => destroyed)).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('past the total are refused where no one is idle', async () => {
    for (const from of [FROM.one, FROM.one, FROM.other, FROM.other]) await openBusy(from);
    await closed(await open(FROM.other));
    expect(refused).toEqual(['total']);
  });

  it('above the total replace one with an unread response', async () => {
    for (const from of [FROM.one, FROM.one, FROM.other, FROM.other]) await openBusy(from);
    unread.add(waiting[1]!.socket!);
    const lost = closed(clients[1]!);
    await open(FROM.other);
    await lost;
    expect(refused).toEqual([]);
  });

  it('of one network are half of all at most, and behind a proxy, where there is one network, all', () => {
    const { total } = connectionLimits(Infinity);
    expect(connectionLimits(Infinity).perNetwork).toBe(total);
    expect(connectionLimits(1_000_000).perNetwork).toBe(Math.ceil(total / 2));
    expect(connectionLimits(1).perNetwork).toBe(1);
  });

  it('count as idle again once they are answered', async () => {
    for (const from of [FROM.one, FROM.one, FROM.other, FROM.other]) await openBusy(from);
    const answered = closed(clients[0]!);
    await new Promise((resolve) => waiting[0]!.end('done', () => setImmediate(resolve)));
    await open(FROM.other);
    await answered;
    expect(refused).toEqual([]);
  });
});

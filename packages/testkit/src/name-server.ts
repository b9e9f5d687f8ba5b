import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The records of each name. `silent` means that the server never responds. */
export type Zone = Record<string, { a?: string[]; aaaa?: string[] } | 'silent'>;

export interface NameServer {
  /** The address in the format of a resolver, `address:port`. */
  address: string;
  /** The queried names, one entry per query. */
  asked: string[];
  close: () => Promise<void>;
}

const A = 1;
const AAAA = 28;

/** Starts a DNS server (RFC 1035) on a UDP port. Names outside of `zone` do not exist. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    asked.push(name);
    const entry = zone[name];
    if (entry === 'silent') return;
    const type = query.readUInt16BE(end);
    const records = type === A ? (entry?.a ?? []).map(toA) : type === AAAA ? (entry?.aaaa ?? []).map(toAaaa) : [];
    socket.send(toAnswer(query.subarray(0, end + 4), records, entry !== undefined), port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function toAnswer(question: Buffer, records: Buffer[], exists: boolean): Buffer {
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12), ...records]);
}

const toA = (address: string) => toRecord(A, Buffer.from(address.split('.').map(Number)));
/** Requires an address with all eight groups. */
function toAaaa(address: string): Buffer {
  const groups = address.split(':').map((group) => group.padStart(4, '0'));
  return toRecord(AAAA, Buffer.from(groups.join(''), 'hex'));
}

/** Returns a record for the queried name (as a pointer), class IN, with a TTL of one minute. */
function toRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([head, data]);
}

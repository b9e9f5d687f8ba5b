// Shapes: none; in full: local
import { type Socket } from 'node:net';
import { type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { openUnread } from './support/hostile/sockets.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';

/** A number of entries that exceeds the socket buffers of client and server, so that an export waits for its reader. */
const ENTRIES = 30_000;
/** A number of open exports that exceeds the concurrency limit of an organization. */
const READERS = 12;

let product: Product;
let api: Api;
let thief: string;
let other: string;
let readers: Socket[] = [];

beforeAll(async () => {
  // Uses a separate product, because these entries are not in a hash chain and would fail a verification of the shared audit log.
  product = await ownProduct();
  const { plainKey, organization } = await newOrganization(product.databaseUrl);
  api = apiOf(product.baseUrl, plainKey);
  const newKey = async () => (await api.post('/api/v1/api-keys', { name: 'Key' })).body;
  thief = (await newKey()).plainKey;
  other = (await newKey()).apiKey.id;
  const fill = `
    INSERT INTO members.audit_entries (id, org_id, seq, actor_type, action, resource_type, outcome, request_id, created_at, hash)
    SELECT gen_random_uuid(), $1, 1000 + n, 'api_key', 'connection.use', 'connection', 'allowed', repeat('r', 100), now(), ''
    FROM generate_series(1, ${ENTRIES}) AS n`;
  await rowsOf(product.databaseUrl, fill, [organization.id]);
});
afterAll(async () => {
  readers.forEach((socket) => socket.destroy());
  await product?.stop();
});

it('unread exports do not delay other requests of the organization or of the same key', async () => {
  const head = `GET /api/v1/audit-log/export HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${thief}\r\n\r\n`;
  readers = Array.from({ length: READERS }, () => openUnread(product.baseUrl, head));
  await Promise.all(readers.map((socket) => new Promise((open) => socket.once('connect', open))));
  expect((await apiOf(product.baseUrl, thief).get('/api/v1/members')).status).toBe(200);
  expect((await api.delete(`/api/v1/api-keys/${other}`)).status).toBe(200);
  expect(await opened()).toBe(READERS); // no export was closed in order to serve these calls
});

/**
 * Returns the number of open connections. A client that does not read detects a closed connection only when its second write fails. The server
 * ignores an empty line.
 */
async function opened(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    for (const socket of readers) if (socket.writable) socket.write('\r\n');
    await api.get('/api/v1/members');
  }
  return readers.filter((socket) => socket.writable).length;
}

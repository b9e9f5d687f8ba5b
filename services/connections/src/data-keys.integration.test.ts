import { randomBytes, randomUUID } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { workspaceGuard } from '@drawbridge/events';
import { type Caller, createLogger, describeError, runInContext } from '@drawbridge/rpc';
import { openServiceDatabase } from '@drawbridge/testkit';
import { dataKeys } from './data-keys.js';
import { type Db } from './database.js';
import { envelope } from './envelope-encryption.js';
import { connections, EXPIRING } from './index.js';
import { rotateMaster } from './rotate-master.js';
import { plainKeys } from './testing/keep-credentials.js';
import { emptyWorkspace } from './workspaces.js';

const log = createLogger('connections', 'silent');
const entries = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
const [orgId, workspaceId] = [randomUUID(), randomUUID()];
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());
beforeEach(() => database.pool.query('TRUNCATE connections.data_keys'));

/** Returns the RPCs for data keys, as a process with these master keys serves them to an organization. */
function rpcs({ keys = entries.slice(0, 1), org = orgId } = {}) {
  const guard = workspaceGuard({ pool: database.pool, schema: 'connections', log, empty: emptyWorkspace });
  const workspaces = { require: async () => undefined, requireNotDeleted: guard.requireNotDeleted };
  const rpc = dataKeys({ db: database.db, envelope: envelope(plainKeys(keys.join(','))), workspaces });
  const caller = { orgId: org, userId: randomUUID(), source: 'mcp_code' } as Caller;
  const deadline = Date.now() + 60_000;
  const context = { requestId: 'r', from: 'execution', caller, deadline, signal: new AbortController().signal, log };
  const within = <T>(call: () => Promise<T>): Promise<T> => runInContext(context as never, call);
  return {
    create: (expiresAt = inAnHour()) => within(() => rpc.createDataKey({ workspaceId, expiresAt })),
    open: (id: string, of = workspaceId) => within(() => rpc.openDataKey({ workspaceId: of, id })),
  };
}

it('creates random keys and opens each again', async () => {
  const { create, open } = rpcs();
  const [first, second] = [await create(), await create()];
  expect(first.key).toHaveLength(32);
  expect(first.key.equals(second.key)).toBe(false);
  expect(await open(first.id)).toEqual(first);
  expect(await open(second.id)).toEqual(second);
});

it('finds no key of another workspace or organization, and no unknown one', async () => {
  const { id } = await rpcs().create();
  const absent = { code: 'NOT_FOUND', status: 404 };
  await expect(rpcs().open(id, randomUUID())).rejects.toMatchObject({ ...absent, message: `Data key ${id} not found` });
  await expect(rpcs({ org: randomUUID() }).open(id)).rejects.toMatchObject(absent);
  await expect(rpcs().open(randomUUID())).rejects.toMatchObject(absent);
});

it('opens no expired key, and purges it', async () => {
  const { id } = await rpcs().create(new Date(Date.now() - 1_000).toISOString());
  await rpcs().create();
  await expect(rpcs().open(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { table, expired } = EXPIRING.find((rule) => rule.table === 'connections.data_keys')!;
  await database.pool.query(`DELETE FROM ${table} WHERE ${expired}`);
  expect(await database.db.dataKey.count({ where: { orgId } })).toBe(1);
});

it('creates no key in a deleted workspace, and deletes those of it', async () => {
  const tx = await database.pool.connect();
  await rpcs().create();
  expect(await emptyWorkspace(tx, workspaceId, 500)).toBe(1);
  expect(await database.db.dataKey.count({ where: { orgId } })).toBe(0);
  await tx.query('BEGIN');
  await tx.query('SELECT connections.bury_workspace($1::uuid)', [workspaceId]);
  await tx.query('COMMIT');
  tx.release();
  await expect(rpcs().create()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await database.pool.query('DELETE FROM connections.purged_workspaces');
});

it('opens with a new master key after a rotation, and not with the old one', async () => {
  const created = await rpcs().create();
  const keys = [entries[1]!, entries[0]!];
  const rotation = await rotateMaster(database.pool, plainKeys(keys.join(',')), () => undefined);
  expect(rotation).toEqual({ rewrapped: 1, remaining: 0, masterKeyId: 'k2' });
  expect(await rpcs({ keys: [entries[1]!] }).open(created.id)).toEqual(created);
  await expect(rpcs().open(created.id)).rejects.toMatchObject({ code: 'MASTER_KEY_MISSING' });
});

it('opens no bytes that were moved from another row or changed', async () => {
  const [first, second] = [await rpcs().create(), await rpcs().create()];
  const copy = `
    UPDATE connections.data_keys SET wrapped_key = (SELECT wrapped_key FROM connections.data_keys WHERE id = $2) WHERE id = $1`;
  await database.pool.query(copy, [first.id, second.id]);
  await expect(rpcs().open(first.id)).rejects.toThrow();
  await database.pool.query('UPDATE connections.data_keys SET wrapped_key = substr(wrapped_key, 1, 40)');
  await expect(rpcs().open(second.id)).rejects.toThrow();
  await database.pool.query('UPDATE connections.data_keys SET org_id = $1', [workspaceId]);
  await expect(rpcs({ org: workspaceId }).open(second.id)).rejects.toThrow();
});

it('stores no plaintext, and has none in its errors', async () => {
  const { id, key } = await rpcs().create();
  const { rows } = await database.pool.query('SELECT * FROM connections.data_keys');
  expect((rows[0].wrapped_key as Buffer).includes(key)).toBe(false);
  await database.pool.query('UPDATE connections.data_keys SET wrapped_key = substr(wrapped_key, 2)');
  const error: unknown = await rpcs()
    .open(id)
    .catch((failure: unknown) => failure);
  expect(error).not.toBeInstanceOf(ApiError);
  const said = JSON.stringify([String(error), describeError(error)]);
  for (const form of ['hex', 'base64', 'latin1'] as const) expect(said).not.toContain(key.toString(form));
});

import { randomUUID } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { startDatabaseServer, temporaryDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { members } from '../index.js';
import { appendEntries, type NewEntry } from './append-entries.js';
import { toNotedHead, verifyChains } from './verify.js';

let server: Awaited<ReturnType<typeof startDatabaseServer>>;
let place: Awaited<ReturnType<typeof temporaryDatabase>>;
let database: Database<Db>;

beforeAll(async () => {
  server = await startDatabaseServer();
  place = await temporaryDatabase(server.url);
  database = await members.openDatabase(place.url);
});
afterAll(async () => {
  await database.close();
  await place.drop();
  await server.stop();
});

const entry = (orgId: string, more: Partial<NewEntry> = {}): NewEntry => ({
  orgId,
  id: newId(),
  workspaceId: randomUUID(),
  actorType: 'api_key',
  actorId: randomUUID(),
  action: 'workspace.create',
  resourceType: 'workspace',
  resourceId: randomUUID(),
  resourceName: 'Ümlaut "and" \\ 😀',
  outcome: 'allowed',
  reason: null,
  requestId: 'r',
  address: '127.0.0.1',
  createdAt: new Date().toISOString(),
  ...more,
});

async function append(...entries: NewEntry[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await appendEntries(entries, client);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Creates an organization with `count` audit entries. */
async function organizationWith(count: number): Promise<string> {
  const orgId = randomUUID();
  await append(...Array.from({ length: count }, () => entry(orgId)));
  return orgId;
}

const verify = async (orgId: string, head?: string) =>
  (await verifyChains(database.pool, orgId, toNotedHead(head)))[0]!;

/** Changes the tables without triggers and without the lock of the chain, like an attacker with the rights of the database owner. */
async function tamper(sql: string, ...values: unknown[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(sql, values);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

describe('the chain of an organization', () => {
  it('verifies as written, in whatever order its entries came', async () => {
    const [one, another] = [randomUUID(), randomUUID()];
    const capitals = { workspaceId: randomUUID().toUpperCase() };
    const batches = Array.from({ length: 20 }, () => append(entry(one), entry(another), entry(one, capitals)));
    await Promise.all(batches);
    expect(await verify(one)).toMatchObject({ entries: 40, problems: [] });
    expect(await verify(another)).toMatchObject({ entries: 20, problems: [] });
  });

  it('verifies across several pages of entries', async () => {
    const orgId = randomUUID();
    for (let batch = 0; batch < 11; batch++) await append(...Array.from({ length: 500 }, () => entry(orgId)));
    expect(await verify(orgId)).toMatchObject({ entries: 5_500, problems: [] });
  });

  it.each([
    'UPDATE members.audit_entries SET actor_name = actor_name WHERE org_id = $1',
    'DELETE FROM members.audit_entries WHERE org_id = $1',
    'TRUNCATE members.audit_entries',
  ])('is only ever added to: %s', async (sql) => {
    const orgId = await organizationWith(2);
    const values = sql.includes('$1') ? [orgId] : [];
    await expect(database.pool.query(sql, values)).rejects.toThrow('only ever added to');
    expect(await verify(orgId)).toMatchObject({ entries: 2, problems: [] });
  });
});

const COLUMNS = [
  ...[
    'workspace_id',
    'actor_type',
    'actor_id',
    'actor_name',
    'action',
    'resource_type',
    'resource_id',
    'resource_name',
  ],
  ...['outcome', 'reason', 'request_id', 'address', 'created_at', 'id', 'hash'],
];

/** SQL expressions that change the value of a column as little as possible, by column. */
const CHANGED: Record<string, string> = {
  created_at: "created_at + interval '1 millisecond'",
  hash: 'set_byte(hash, 31, get_byte(hash, 31) # 1)',
};
const changed = (column: string): string =>
  CHANGED[column] ??
  (/(^|_)id$/.test(column) && column !== 'request_id' ? 'gen_random_uuid()' : `coalesce(${column}, '') || 'x'`);

const CHANGES = [
  ...COLUMNS.map((column) => [column, changed(column)]),
  ['created_at', `(to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') || '+00 BC')::timestamptz`],
  ['created_at', `'infinity'`],
];

describe('verifying finds', () => {
  it.each(CHANGES)('one changed byte of %s: %s', async (column, value) => {
    const orgId = await organizationWith(5);
    await tamper(`UPDATE members.audit_entries SET ${column} = ${value} WHERE org_id = $1 AND seq = 3`, orgId);
    const { problems } = await verify(orgId);
    expect(problems[0]).toMatch(/^entry 3 \(.* is not as it was written$/);
  });

  it('an entry that was moved to another organization', async () => {
    const [from, to] = [await organizationWith(3), randomUUID()];
    await tamper('UPDATE members.audit_entries SET org_id = $2 WHERE org_id = $1 AND seq = 3', from, to);
    expect((await verify(from)).problems).toEqual(['the last entry is 2, but the chain head counts 3']);
    expect((await verify(to)).problems).not.toEqual([]);
  });

  it('an entry that was taken out', async () => {
    const orgId = await organizationWith(5);
    await tamper('DELETE FROM members.audit_entries WHERE org_id = $1 AND seq = 3', orgId);
    expect((await verify(orgId)).problems[0]).toMatch(/^entry 4 .* follows 2: what was between is missing$/);
  });

  it.each([0, -1, '-9223372036854775808', '9007199254740993', '9223372036854775807'])(
    'an entry that was inserted with the number %s',
    async (seq) => {
      const orgId = await organizationWith(2);
      await tamper(
        `INSERT INTO members.audit_entries SELECT (jsonb_populate_record(e, jsonb_build_object('seq', $2::bigint, 'id', gen_random_uuid()))).*
        FROM members.audit_entries e WHERE org_id = $1 AND seq = 1`,
        orgId,
        seq,
      );
      expect((await verify(orgId)).problems[0]).toMatch(/^entry -?\d+ .* follows [02]: what was between is missing$/);
      await tamper('DELETE FROM members.audit_entries WHERE org_id = $1 AND seq BETWEEN 1 AND 2', orgId);
      expect((await verify(orgId)).problems[0]).toMatch(/^entry -?\d+ .* follows 0: what was between is missing$/);
    },
  );

  it('two entries that changed places', async () => {
    const orgId = await organizationWith(5);
    const sql = 'UPDATE members.audit_entries SET seq = $3 WHERE org_id = $1 AND seq = $2';
    for (const [from, to] of [
      [2, 99],
      [3, 2],
      [99, 3],
    ])
      await tamper(sql, orgId, from, to);
    expect((await verify(orgId)).problems[0]).toMatch(/^entry 2 .* is not as it was written$/);
  });

  it('a tail that was cut off', async () => {
    const orgId = await organizationWith(5);
    await tamper('DELETE FROM members.audit_entries WHERE org_id = $1 AND seq > 3', orgId);
    expect((await verify(orgId)).problems).toEqual(['the last entry is 3, but the chain head counts 5']);
  });

  it('a deleted log together with its chain head', async () => {
    const orgId = await organizationWith(2);
    const { head } = await verify(orgId);
    await tamper('DELETE FROM members.audit_entries WHERE org_id = $1', orgId);
    expect((await verify(orgId)).problems).toEqual(['the last entry is 0, but the chain head counts 2']);
    await tamper('DELETE FROM members.audit_chains WHERE org_id = $1', orgId);
    const gone = 'the organization has neither entries nor a chain head';
    expect((await verify(orgId, head)).problems).toEqual([gone, 'the hash of entry 2 differs from the noted hash']);
  });

  it('detects a removed tail by a head that was noted elsewhere', async () => {
    const orgId = await organizationWith(3);
    const { head: earlier } = await verify(orgId);
    await append(entry(orgId), entry(orgId));
    const { head } = await verify(orgId);
    await tamper('DELETE FROM members.audit_entries WHERE org_id = $1 AND seq > 3', orgId);
    const [seq, hash] = earlier.split(':');
    await tamper(
      'UPDATE members.audit_chains SET entries = $2, hash = $3 WHERE org_id = $1',
      orgId,
      seq,
      Buffer.from(hash!, 'hex'),
    );
    expect((await verify(orgId)).problems).toEqual([]);
    expect((await verify(orgId, earlier)).problems).toEqual([]);
    expect((await verify(orgId, head)).problems).toEqual(['the hash of entry 5 differs from the noted hash']);
  });

  it('accepts the head of an organization without entries', async () => {
    const { head } = await verify(randomUUID());
    expect((await verify(randomUUID(), head)).problems).toEqual([
      'the organization has neither entries nor a chain head',
    ]);
  });

  it.each(['', '17', '17:', ':ab', 'x:'.concat('a'.repeat(64)), `17:${'a'.repeat(63)}`, `17:${'a'.repeat(64)} `])(
    'refuses %p as a noted head, which it could not check',
    (head) => {
      expect(() => toNotedHead(head)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    },
  );
});

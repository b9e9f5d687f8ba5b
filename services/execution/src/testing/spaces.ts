import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { PutAside } from '@drawbridge/events';
import { type State } from '@drawbridge/piece-kit';
import { createLogger } from '@drawbridge/rpc';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { execution } from '../index.js';
import { stateOpener } from '../state/open-state.js';
import { type StateSpace } from '../state/state-space.js';

export let database: Database<Db>;
/** A state space in an organization and a workspace that no other test uses. */
export let place: StateSpace;

export const aside = new PutAside({ name: 'purge', log: createLogger('execution', 'silent') });

let close: () => Promise<void>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(execution)));
afterAll(() => close());
beforeEach(() => newPlace());

export function newPlace(): void {
  place = { orgId: newId(), workspaceId: newId(), scope: 'end_user', owner: 'u', integration: 'kv-store' };
}

export const open = (changes: Partial<StateSpace> = {}): State => stateOpener(database.pool)({ ...place, ...changes });
export const put = (state: State, key: string, value: number) => state.update(key, () => ({ value }));
export const query = (sql: string, values: unknown[]) => database.pool.query(sql, values);

export async function keysOf(state: State): Promise<string[]> {
  return (await state.list({ order: 'key', limit: 100, values: false })).entries.map(({ key }) => key);
}

export async function entriesOf(orgId: string): Promise<number> {
  return (await query('SELECT FROM execution.state_entries WHERE org_id = $1', [orgId])).rowCount ?? 0;
}

export async function totalOf(orgId: string): Promise<number | undefined> {
  return (await query('SELECT bytes::int FROM execution.state_totals WHERE org_id = $1', [orgId])).rows[0]?.bytes;
}

/** Returns `place`, and state spaces that each differ from it in one or two fields. */
export const neighbours = (): StateSpace[] => [
  place,
  { ...place, owner: 'v' },
  { ...place, owner: '' },
  { ...place, scope: 'external' },
  { ...place, scope: 'workspace', owner: '' },
  { ...place, integration: 'storage' },
  { ...place, workspaceId: newId() },
  { ...place, orgId: newId(), workspaceId: newId() },
];

import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { createLogger, type Logger } from '@drawbridge/rpc';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { triggers } from '../index.js';
import { type Due } from '../schedule/scheduler.js';

export let database: Database<Db>;

let close: () => Promise<void>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(triggers)));
afterAll(() => close());
// Deletes all sources before each test, because the code under test processes due work of all organizations.
beforeEach(async () => void (await database.pool.query('DELETE FROM triggers.sources')));

export const log: Logger = createLogger('triggers', 'silent');

type Columns = Partial<Omit<Source, 'input' | 'state' | 'cursor' | 'callbackMetadata'>> & {
  cursor?: object;
  state?: object;
};

/** Creates an enabled, polled source in a separate organization. `columns` overrides these values. */
export async function newSource(columns: Columns = {}): Promise<Source> {
  const { status = 'enabled' } = columns;
  return database.db.source.create({
    data: {
      ...{ id: newId(), orgId: newId(), workspaceId: newId(), userId: newId() },
      ...{ integrationName: 'github', triggerName: 'new_issue', triggerType: 'POLLING', input: {} },
      ...{ callbackUrl: 'https://callback.example', simulate: false, pollingMinutes: 5 },
      ...{ status, suspendedAt: status === 'enabled' ? null : new Date() },
      ...columns,
    },
  });
}

export async function find({ id, orgId }: Pick<Source, 'id' | 'orgId'>): Promise<Source | null> {
  return database.db.source.findFirst({ where: { id, orgId } });
}

/** Returns the due task of a source as the scheduler passes it to a worker. */
export function dueOf({ id, orgId }: Source, at: Date | null): Due {
  return { id, orgId, at: at?.toISOString() ?? '' };
}

export async function eventsOf({ id, orgId }: Source): Promise<string[]> {
  const rows = await database.db.event.findMany({ where: { orgId, sourceId: id }, orderBy: { id: 'asc' } });
  return rows.map(({ providerId }) => providerId ?? '');
}

export const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
export const ahead = (minutes: number): Date => ago(-minutes);

import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { type DeniedCall } from '@drawbridge/rpc';
import { denials, shortened } from './audit-event.js';

const permissions = { scope: 'org' };
const denied = (keyId: string, more: Partial<DeniedCall> = {}): DeniedCall => ({
  caller: { orgId: 'o', userId: 'u', keyId, permissions, source: 'rest' },
  action: 'workspace.create',
  requestId: 'r',
  address: '127.0.0.1',
  reason: 'FORBIDDEN: no',
  ...more,
});

/** Returns a `denials` recorder, and the audit entries and warnings that it wrote. */
function written(fails = false) {
  const entries: Record<string, unknown>[] = [];
  const warnings: object[] = [];
  const query = async (_sql: string, [, , , envelope]: unknown[]): Promise<void> => {
    if (fails) throw new Error('away');
    const { payload } = Envelope.decode(envelope as Buffer);
    entries.push(payload?.value as unknown as Record<string, unknown>);
  };
  const log = { warn: (line: object) => void warnings.push(line) };
  return { entries, warnings, notes: denials({ service: 'members', pool: { query }, log }) };
}

describe('refused calls', () => {
  it('are recorded with actor, action and reason, and only ids of resources', async () => {
    const { entries, notes } = written();
    const id = '01980000-0000-7000-8000-000000000000';
    await notes.note(denied('k', { id, workspaceId: 'any text' }));
    expect(entries).toEqual([
      expect.objectContaining({
        ...{ action: 'workspace.create', actorType: 'api_key', actorId: 'k', outcome: 'denied', requestId: 'r' },
        ...{ reason: 'FORBIDDEN: no', address: '127.0.0.1', resourceId: id, workspaceId: undefined },
      }),
    ]);
  });

  it('are combined into one entry for a caller with many refusals, but not for others', async () => {
    const { entries, notes } = written();
    for (let call = 0; call < 10_000; call++) await notes.note(denied('k'));
    await notes.note(denied('another'));
    expect(entries).toHaveLength(21);
    expect(entries.at(-1)).toMatchObject({ actorId: 'another' });
    await notes.stop(0);
    expect(entries).toHaveLength(22);
    expect(entries.at(-1)).toMatchObject({
      actorId: 'k',
      outcome: 'denied',
      reason: expect.stringMatching(/^9980 more/),
    });
  });

  it('are answered while the database is unavailable, and logged', async () => {
    const { warnings, notes } = written(true);
    await notes.note(denied('k'));
    expect(warnings).toHaveLength(1);
  });
});

describe('shortened', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc… (4 characters)'],
    ['ab😀d', 3, 'ab… (5 characters)'],
    ['', 3, ''],
  ])('of %j to %i is %j', (text, most, expected) => expect(shortened(text, most)).toBe(expected));
});

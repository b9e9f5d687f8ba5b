import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { topicOf } from './bus.js';
import { inWords, newEvent, PUBLISHERS } from './outbox.js';

const ORG = '0a4f8f5e-8a43-4a8e-9d0f-3f0a8f6f1c11';
const PAYLOAD = { $case: 'workspaceDeleted', value: { workspaceId: 'w_1' } } as const;

describe('newEvent', () => {
  it('names the type in words and repeats id, type and organization beside the envelope', () => {
    const row = newEvent(PAYLOAD, { orgId: ORG, traceparent: '00-1-2-01' });
    const envelope = Envelope.decode(row.envelope);

    expect(row).toMatchObject({ type: 'workspace.deleted', orgId: ORG });
    expect(envelope).toEqual({
      id: row.id,
      type: row.type,
      orgId: ORG,
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      traceparent: '00-1-2-01',
      payload: PAYLOAD,
    });
  });

  it('ends with the change, after the words of the resource', () => {
    const value = { workspaceId: 'w_1', externalId: 'ann', endUserId: 'e_1' };
    expect(newEvent({ $case: 'endUserDeleted', value }, { orgId: ORG }).type).toBe('end_user.deleted');
  });

  it('generates ids in the order of creation', () => {
    const ids = Array.from({ length: 100 }, () => newEvent(PAYLOAD, { orgId: ORG }).id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

it('documents every event in docs/events.md, by topic and type', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/events.md'), 'utf8');
  const rows = page.matchAll(/^\| (\S+) +\| `([\w.]+)` +\| `\w+\.v1\.\w+` /gm);
  const shown = [...rows].map(([, topic, type]) => [type, topic]);
  // The table has one row for each event that a service publishes. The audit event is one row for all services.
  const { auditRecorded: _each, ...one } = PUBLISHERS;
  const published = Object.entries(one).map(([name, [service]]) => [inWords(name), `\`${topicOf(service!)}\``]);
  expect(Object.fromEntries(shown)).toEqual({ ...Object.fromEntries(published), [inWords('auditRecorded')]: 'each' });
});

import { createHmac } from 'node:crypto';
import type { JsonObject } from '@drawbridge/piece-kit';
import {
  inbound,
  json,
  optionsOf,
  pollingOf,
  proofOf,
  runPiece,
  runTrigger,
  webhookOf,
} from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { itSends } from '../../testing/witness.js';
import { acme } from './index.js';

const credential = { type: 'SECRET_TEXT', secretText: 'acme_canary' } as const;
const task = (id: string, day: number): JsonObject => ({
  ...{ id, title: `Task ${id}`, url: `https://acme.example/tasks/${id}`, created_at: `2026-01-0${day}T09:00:00Z` },
});
const listOf = (...items: JsonObject[]) => json({ items, next: null });
const setting = { piece: acme, credential, reply: (): Reply => listOf() };

itSends(setting, {
  create_task: [
    [{ project: 'p1', title: 'Make tea' }, 'POST /projects/p1/tasks {"title":"Make tea"}'],
    [
      { project: 'p1', title: 'Make tea', notes: '**Hot**' },
      'POST /projects/p1/tasks {"title":"Make tea","notes":"**Hot**"}',
    ],
  ],
  list_tasks: [
    [{ project: 'p1' }, 'GET /projects/p1/tasks'],
    [{ project: 'p1', limit: 5 }, 'GET /projects/p1/tasks'],
  ],
});

it('returns the tasks of all pages', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('cursor=c2') ? listOf(task('b', 1)) : json({ items: [{ ...task('a', 2), owner: 'u1' }], next: 'c2' });
  const { output } = await runPiece({ ...setting, reply }, 'list_tasks', { project: 'p1' });
  expect(output.items).toEqual([task('a', 2), task('b', 1)]);
});

it('offers the projects', async () => {
  const reply = () => listOf({ id: 'p1', name: 'Tea' });
  const { output, asked } = await optionsOf({ ...setting, reply }, ['list_tasks', 'project'], {}, 'te');
  expect(output.options).toEqual([{ label: 'Tea', value: 'p1' }]);
  expect(asked).toEqual(['GET /projects?search=te']);
});

it("fails with Acme's message and code", async () => {
  const reply = () => json({ error: { message: 'No such project', code: 'not_found' } }, 404);
  const listed = runPiece({ ...setting, reply }, 'list_tasks', { project: 'p9' });
  await expect(listed).rejects.toMatchObject({ status: 404, code: 'not_found', message: 'No such project' });
});

it('delivers each new task once, the oldest first', async () => {
  const poll = async (tasks: JsonObject[], cursor?: unknown) => {
    const { output } = await runTrigger({ ...setting, reply: () => listOf(...tasks) }, { project: 'p1' }, (context) =>
      pollingOf(acme, 'new_task').poll({ ...context, cursor: cursor as JsonObject | undefined }),
    );
    return { ids: output.events.map(({ id }) => id), cursor: output.cursor };
  };
  const first = await poll([task('a', 1)]);
  const second = await poll([task('c', 3), task('b', 2), task('a', 1)], first.cursor);
  expect([first.ids, second.ids]).toEqual([[], ['b', 'c']]);
  expect((await poll([task('c', 3)], second.cursor)).ids).toEqual([]);
});

describe('task_changed', () => {
  const trigger = webhookOf(acme, 'task_changed');
  const webhookUrl = 'https://drawbridge.example/api/v1/webhooks/acme/1';
  const secret = 'chosen';

  it('leaves one webhook, and removes it', async () => {
    const reply = ({ method }: Recorded): Reply =>
      method === 'GET'
        ? listOf({ id: 'w1', url: webhookUrl }, { id: 'w2', url: 'https://x.example' })
        : json({ id: 'w3' });
    const enabled = await runTrigger({ ...setting, reply }, { project: 'p1' }, (context) =>
      trigger.enable({ ...context, webhookUrl, secret }),
    );
    expect(enabled.output).toEqual({ state: { id: 'w3' } });
    expect(enabled.asked).toEqual([
      'GET /webhooks',
      'DELETE /webhooks/w1',
      `POST /webhooks {"url":"${webhookUrl}","secret":"chosen","project":"p1","events":["task.changed"]}`,
    ]);
    const gone = () => json({ error: { message: 'gone' } }, 404);
    const ended = await runTrigger({ ...setting, reply: gone }, { project: 'p1' }, (context) =>
      trigger.disable({ ...context, webhookUrl, secret, state: { id: 'w3' } }),
    );
    expect(ended.asked).toEqual(['DELETE /webhooks/w3']);
  });

  it('accepts only what Acme has signed lately', () => {
    const body = JSON.stringify({ id: 'e1', type: 'task.changed', task: task('a', 1) });
    const now = Date.parse('2026-01-31T09:00:00Z');
    const signed = (time: number, by: string) => {
      const signature = createHmac('sha256', by).update(`${time}.${body}`).digest('hex');
      return inbound(body, { 'acme-time': String(time), 'acme-signature': signature });
    };
    const verify = (time: number, by = secret) => trigger.verify(signed(time, by), proofOf(secret, now));
    expect([verify(now / 1000), verify(now / 1000 - 301), verify(now / 1000, 'forged')]).toEqual([true, false, false]);
    expect(trigger.verify(inbound(body), proofOf(secret, now))).toBe(false);
    const events = trigger.events?.(signed(now / 1000, secret), {}, undefined as never);
    expect(events).toEqual([{ id: 'e1', data: task('a', 1) }]);
  });
});

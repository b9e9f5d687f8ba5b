import { type FakeProvider } from '@drawbridge/testkit';
import { type Api } from './api.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { PUBLISHERS } from './kill-points.js';
import { shared } from './shared.js';
import { stateOf } from './state-of.js';

/** Expects that the rejected calls changed no visible state of their organizations and sent no request to the provider. */
export async function expectUnchanged(
  { owners, github }: { owners: Api[]; github: FakeProvider },
  ask: () => Promise<void>,
): Promise<void> {
  const states = (): Promise<unknown[]> => Promise.all(owners.map(stateOf));
  const before = await settled(states);
  const requests = github.requests.length;
  await ask();
  expect(await states()).toEqual(before);
  expect(github.requests).toHaveLength(requests);
}

/** Waits until the effects of earlier calls are complete, because they would look like changes. Returns the state. */
async function settled(states: () => Promise<unknown[]>): Promise<unknown[]> {
  const since = new Date();
  let last = await states();
  await eventually(async () => {
    expect(await rowsOf(shared().databaseUrl, WAITING, [since], 'waiting')).toEqual([]);
    const before = last;
    last = await states();
    expect(last).toEqual(before);
  });
  return last;
}

const WAITING = PUBLISHERS.map(
  (name) => `SELECT id FROM ${name}.outbox WHERE published_at IS NULL AND created_at <= $1`,
).join(' UNION ALL ');

/** Formats an error as `403 SCOPE_DENIED`. */
export const shortOf = ({ status, body }: { status: number; body: { code?: string } | undefined }): string =>
  `${status} ${body?.code ?? ''}`.trim();

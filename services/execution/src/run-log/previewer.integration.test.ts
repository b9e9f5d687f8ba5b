import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Action, type JsonObject } from '@drawbridge/piece-kit';
import { workerPool } from '@drawbridge/turns';
import { redactor } from '../redaction/redactor.js';
import { previewer } from './previewer.js';
import { toPreview } from './preview.js';

/** The compiled worker, because a worker thread cannot run TypeScript sources. */
const WORKER = pathToFileURL(join(import.meta.dirname, '../../dist/run-log/preview-worker.js'));
const MIB = 1024 * 1024;
const how = {
  action: {
    props: { to: { type: 'SHORT_TEXT', loadOptions: () => [] }, pin: { type: 'SECRET_TEXT' } },
  } as unknown as Action,
  redact: redactor(['ghp_0123456789abcdef']),
};
const pool = (limits: object = {}) =>
  previewer(workerPool(WORKER, { workers: 1, waiting: 20, jobMs: 60_000, ...limits }));
const large = (part: string): JsonObject => ({
  pin: '1',
  text: part.repeat(4 * (MIB / part.length)),
  to: 'ghp_0123456789abcdef',
});

let previews = pool();
afterEach(async () => {
  await previews.stop(0);
  previews = pool();
});

it.each(['x', '%41', '&#116;', '&a=b'])(
  'shows a large input of %j like a small one, without blocking the event loop',
  async (part) => {
    const input = large(part);
    let [turns, isOver] = [0, false];
    const turn = (): void => void (isOver || (turns++, setImmediate(turn)));
    const shown = previews.preview('acme', input, how).finally(() => (isOver = true));
    turn();
    expect(await shown).toEqual(toPreview(input, how.action, how.redact));
    expect(turns).toBeGreaterThan(10);
  },
);

it('limits the time and the number of calls that wait for a preview', async () => {
  await previews.stop(0);
  previews = pool({ jobMs: 1, waiting: 1 });
  const asked = [1, 2, 3].map(() => previews.preview('acme', large('%41'), how));
  const codes = (await Promise.allSettled(asked)).map((one) => one.status === 'rejected' && one.reason.code);
  expect(codes).toEqual(['TIMEOUT', 'TIMEOUT', 'RATE_LIMITED']);
});

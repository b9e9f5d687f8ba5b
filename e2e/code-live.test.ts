// Shapes: local; in full: processes
import { setTimeout as sleep } from 'node:timers/promises';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { newWorkspace } from './support/workspace-integrations.js';

const EXECUTIONS = '/api/v1/executions';
/** Returns code that prints lines and computes in between, because the code has no timers, and its clock does not advance meanwhile. */
const printing = (lines: number, turns: number): string => `for (let line = 1; line <= ${lines}; line++) {
  console.log('line', line);
  for (let at = 0; at < ${turns}; at++);
}
return 'done';`;
/** Takes about two seconds. */
const SLOW = printing(8, 30e5);
/** Prints more lines in about as long. */
const LONG = printing(20, 15e5);

let product: Drawbridge;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  workspaceId = await newWorkspace(product.api);
});

const run = (code: string) =>
  product.api.post('/api/v1/actions/execute', {
    integrationName: 'code',
    actionName: 'run',
    workspaceId,
    input: { code },
  });

async function runningId(): Promise<string> {
  let id = '';
  await eventually(async () => {
    const { body } = await product.api.get(`${EXECUTIONS}?workspaceId=${workspaceId}&limit=1`);
    expect(body.executions[0]).toMatchObject({ status: 'running', actionName: 'run', console: [], output: null });
    id = body.executions[0].id;
  });
  return id;
}

const listen = (id: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${product.baseUrl}${EXECUTIONS}/${id}/events`, {
    headers: { Authorization: `Bearer ${product.key}`, ...headers },
    signal,
  });

interface Event {
  id?: string;
  event: string;
  data: any;
}

function eventsOf(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((part) => part.includes('event: '))
    .map((part) => {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/)));
      return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    });
}

const linesOf = (events: Event[]): string[] =>
  events.flatMap(({ event, data }) => (event === 'console' ? [data.text] : []));

it('shows the console of a run while it is under way, and streams it to its end', async () => {
  const running = run(SLOW);
  const id = await runningId();
  const response = await listen(id);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  await eventually(async () => {
    const { execution } = (await product.api.get(`${EXECUTIONS}/${id}`)).body;
    expect(execution.status).toBe('running');
    expect(execution.console[0]).toEqual({ number: 1, level: 'log', text: 'line 1' });
  });
  const events = eventsOf(await response.text());
  const answer = await running;
  expect(answer.body.output.value).toBe('done');
  const all = Array.from({ length: 8 }, (_, at) => `line ${at + 1}`);
  expect(linesOf(events)).toEqual(all);
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'success' } });
  expect((await product.api.get(`${EXECUTIONS}/${id}`)).body.execution).toMatchObject({
    status: 'success',
    console: [],
  });

  const { id: last } = events[2]!;
  const again = eventsOf(await (await listen(id, { 'Last-Event-ID': last! })).text());
  expect(linesOf(again)).toEqual(all.slice(3));
});

it('lists a run once, whether it is under way or has ended', async () => {
  const running = run(SLOW);
  const id = await runningId();
  const idsOf = async (): Promise<string[]> =>
    (await product.api.get(`${EXECUTIONS}?workspaceId=${workspaceId}`)).body.executions.map((one: any) => one.id);
  const before = await idsOf();
  await running;
  expect(await idsOf()).toEqual(before);
  expect(before.filter((one) => one === id)).toHaveLength(1);
});

it('answers 404 for a run under way of another organization', async () => {
  const running = run(SLOW);
  const id = await runningId();
  for (const path of [`${EXECUTIONS}/${id}`, `${EXECUTIONS}/${id}/events`]) {
    expectError(await product.other.get(path), 404, 'NOT_FOUND');
  }
  expectError(await product.api.get(`${EXECUTIONS}/${UNKNOWN_ID}/events`), 404, 'NOT_FOUND');
  await running;
});

it('frees the listener of a client that disconnects', async () => {
  const running = run(LONG);
  const id = await runningId();
  for (let round = 0; round < 4; round++) {
    const leave = new AbortController();
    const all = await Promise.all(Array.from({ length: 25 }, () => listen(id, {}, leave.signal)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    leave.abort();
    await sleep(200);
  }
  await running;
});

it('limits the listeners of an organization', async () => {
  const running = run(LONG);
  const id = await runningId();
  const leave = new AbortController();
  const all = await Promise.all(Array.from({ length: 130 }, () => listen(id, {}, leave.signal)));
  const refused = all.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  leave.abort();
  await running;
});

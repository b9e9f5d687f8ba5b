import { type JobContext } from '@drawbridge/jobs';
import { type OutgoingRequest, type OutgoingResponse } from '@drawbridge/egress';
import { type Pool } from 'pg';
import { deliveriesOf, hanging, newDelivering, OK, pass, tell } from '../testing/delivering.js';
import { database, newSource } from '../testing/sources.js';
import { watchedPool } from '../testing/watched-pool.js';
import { claim, LEASE_SECONDS } from './claim-callbacks.js';

const JOB = { attempt: 1 } as JobContext;

let requests: OutgoingRequest[];
let answer: () => Promise<OutgoingResponse>;
beforeEach(() => {
  requests = [];
  answer = async () => OK;
});

const newProcess = (pool?: Pool) =>
  newDelivering({
    pool,
    send: (request) => {
      requests.push(request);
      return answer();
    },
  });

it('leaves alone what another process sends, until that is taken for dead', async () => {
  const [source, { letGo, gone }] = [await newSource(), hanging()];
  await tell(source, 1);
  answer = () => gone;
  const dying = newProcess();
  await dying.task({ orgId: source.orgId }, JOB);
  await dying.background.stop(Date.now());
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(requests).toHaveLength(1);
  answer = async () => OK;
  await pass(source);
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(await deliveriesOf(source)).toMatchObject([{ status: 'success', attempt: 2 }]);
  letGo();
  await dying.background.stop(Date.now() + 5_000);
  expect(await deliveriesOf(source)).toMatchObject([{ status: 'success', attempt: 2 }]);
});

it('ignores a failure of a process that lost its lease while another process retries', async () => {
  const [source, first, second] = [await newSource(), hanging({ ...OK, status: 500 }), hanging()];
  await tell(source, 1);
  const [dying, living] = [newProcess(), newProcess()];
  answer = () => first.gone;
  await dying.task({ orgId: source.orgId }, JOB);
  await dying.background.stop(Date.now());
  await pass(source);
  answer = () => second.gone;
  await living.task({ orgId: source.orgId }, JOB);
  const begun = await deliveriesOf(source);
  first.letGo();
  await dying.background.stop(Date.now() + 5_000);
  expect(await deliveriesOf(source)).toEqual(begun);
  second.letGo();
  await living.background.stop(Date.now() + 5_000);
  expect(await deliveriesOf(source)).toMatchObject([{ status: 'success', attempt: 2, tries: 1 }]);
});

it('covers the request and the record of its outcome', async () => {
  const source = await newSource();
  await tell(source, 1);
  const begun = performance.now();
  const [open] = (await claim(database.pool, [[source.orgId], [source.id], [1]])).jobs;
  await pass(source);
  await newProcess().task({ orgId: source.orgId }, JOB);
  const [request] = requests;
  expect(open!.sendBy - begun + request!.timeoutMs!).toBeLessThan(LEASE_SECONDS * 1_000 - 2_000);
});

it('has what arrived noted a moment later where it cannot be at once, and sent no second time', async () => {
  const source = await newSource();
  await tell(source, 2);
  let lost = 0;
  const pool = watchedPool(database.pool, ({ name }) => {
    if (name === 'note-callbacks' && ++lost < 5) throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  });
  const delivering = newProcess(pool);
  await delivering.task({ orgId: source.orgId }, JOB);
  await delivering.background.stop(Date.now() + 10_000);
  expect((await deliveriesOf(source)).map(({ status }) => status)).toEqual(['success', 'success']);
  expect(requests).toHaveLength(2);
});

it('sends the stored body unchanged', async () => {
  const source = await newSource();
  await tell(source, 1);
  const written = '{"a": 1.50, "b": "\\u00e4"}';
  await database.pool.query('UPDATE triggers.events SET payload = $2 WHERE source_id = $1', [source.id, written]);
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(requests[0]?.body).toContain(`"payload":${written},"createdAt"`);
});

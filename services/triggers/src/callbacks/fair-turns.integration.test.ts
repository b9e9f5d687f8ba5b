import { type OutgoingResponse } from '@drawbridge/egress';
import { deliveriesOf, hanging, newDelivering, OK, tell } from '../testing/delivering.js';
import { newSource } from '../testing/sources.js';
import { MOST } from './places.js';

const JOB = { attempt: 1 };
/** More than is begun in one go. */
const LARGE = { text: 'x'.repeat(262_144) };

/** Of whom, in order. */
let sent: string[];
let answer: () => Promise<OutgoingResponse>;
beforeEach(() => {
  sent = [];
  answer = async () => OK;
});

const newProcess = () =>
  newDelivering({
    send: (request) => {
      sent.push(request.headers!['x-svc-delivery']!);
      return answer();
    },
  });

it('has sources take turns where there is more than an organization may have under way', async () => {
  const first = await newSource();
  const many = MOST.ofOrganization / MOST.ofSource + 1;
  const sources = [first];
  while (sources.length < many) sources.push(await newSource({ orgId: first.orgId }));
  for (const source of sources) await tell(source, 100);
  answer = () => new Promise((resolve) => setTimeout(resolve, 5, OK));
  await newProcess().task({ orgId: first.orgId }, JOB);
  for (const source of sources)
    expect((await deliveriesOf(source)).some(({ status }) => status === 'success')).toBe(true);
});

it('has under way of what is large as much as of what is small', async () => {
  const [first, { letGo, gone }] = [await newSource(), hanging()];
  const second = await newSource({ orgId: first.orgId });
  for (const source of [first, second]) await tell(source, 2, LARGE);
  answer = () => gone;
  const delivering = newProcess();
  for (let turn = 0; turn < 2; turn++) await delivering.task({ orgId: first.orgId }, JOB);
  expect(sent).toHaveLength(4);
  letGo();
  await delivering.background.stop(Date.now() + 5_000);
});

it('has sources take turns where each has much that is large', async () => {
  const sources = [await newSource()];
  while (sources.length <= MOST.ofOrganization / MOST.ofSource)
    sources.push(await newSource({ orgId: sources[0]!.orgId }));
  for (const source of sources) await tell(source, 2, LARGE);
  const delivering = newProcess();
  while (sent.length < 2 * sources.length) await delivering.task({ orgId: sources[0]!.orgId }, JOB);
  const [ofLast] = await deliveriesOf(sources.at(-1)!);
  expect(sent.indexOf(ofLast!.id)).toBeLessThan(sources.length);
});

// Shapes: local
import { eventually } from './support/eventually.js';
import { polledProduct, type PolledProduct } from './support/polled-product.js';

let at: PolledProduct;

beforeAll(async () => void (at = await polledProduct()));
afterAll(() => at?.stop());

interface Sent {
  url: string;
  secret: string;
}

/** The subscriptions that the provider received. */
const asked: Sent[] = [];
const until = new Date(Date.now() + 3_600_000).toISOString();

/** Returns a provider that quotes rejected values: Graph quotes its clientState, others quote the URL with a key. */
const quoting = () => {
  const { url, secret } = asked.at(-1)!;
  return { status: 400, body: { message: `${url}?key=${secret} is not reachable`, code: secret } };
};

it('removes the secret of a trigger where the provider quotes it', async () => {
  at.thirdParty.on('POST /leases', ({ body }) => (asked.push(body as Sent), quoting()));
  const callbackUrl = at.receiver.hook('/refused');
  const externalId = (await at.newSource()).externalId;
  const refused = await at.enable({ triggerName: 'lent', callbackUrl, connectionExternalId: externalId });
  expect(refused).toMatchObject({ status: 400, body: { code: 'ACTION_FAILED' } });
  expect(JSON.stringify(refused.body)).toContain('is not reachable');
  expect(JSON.stringify(refused.body)).not.toContain(asked[0]!.secret);

  at.thirdParty.on('POST /leases', ({ body }) => (asked.push(body as Sent), { body: { id: 1, until } }));
  at.thirdParty.on('PUT /leases/1', quoting);
  at.thirdParty.on('DELETE /leases/1', quoting);
  const source = await at.newSource({ triggerName: 'lent' });
  await source.due('renew_at');
  await eventually(async () => expect(at.product.logs()).toContain('could not be renewed'));
  expect((await at.api.post('/api/v1/triggers/disable', { triggerSourceId: source.id })).status).toBe(200);
  const deleted = () => at.thirdParty.requests.some(({ method }) => method === 'DELETE');
  await eventually(async () => expect(deleted()).toBe(true));
  await eventually(async () => expect(at.product.logs()).toContain('could not be ended'));
  for (const { secret } of asked) expect(at.product.logs()).not.toContain(secret);
});

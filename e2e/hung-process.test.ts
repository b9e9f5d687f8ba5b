// Shapes: processes
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { githubWorkspace } from './support/github.js';
import { ownProduct } from './support/own-product.js';

const AT_ONCE = 10;

let product: Product;
let provider: FakeProvider;
let api: Api;
let asks: Record<string, () => Promise<Answer>>;

beforeAll(async () => {
  provider = await fakeProvider();
  provider.on('*', { status: 201, body: { number: 1 } });
  const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider.url });
  product = await ownProduct({ env: { ORIGIN_MAP }, replicas: { connections: 2 } });
  api = apiOf(product.baseUrl, product.key);
  const { createIssue } = await githubWorkspace(api);
  asks = {
    'reads connections': () => api.get('/api/v1/connections'),
    'executes an action': () => api.post('/api/v1/actions/execute', createIssue),
  };
});
afterAll(async () => {
  await product?.stop();
  await provider?.stop();
});

const statuses = (answers: Answer[]): number[] => [...new Set(answers.map(({ status }) => status))];
const askAll = (): Promise<Answer[]> => Promise.all(Object.values(asks).map((ask) => ask()));

const TRIES = 3;

it('one of two replicas that hangs is detected, and the other answers all idempotent calls meanwhile', async () => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await hang(attempt);
    } catch (error) {
      // A call ends after 10 s, of which the detection takes 7 s. If a busy machine stops the gateway for the rest, the call fails.
      if (attempt === TRIES) throw error;
    }
  }
});

async function hang(attempt: number): Promise<void> {
  await eventually(async () => expect(statuses(await askAll())).toEqual([200]));
  const pid = product.processes()['connections-1']!;
  process.kill(pid, 'SIGSTOP');
  try {
    const meanwhile = await Promise.all(Array.from({ length: AT_ONCE }, askAll));
    expect(statuses(meanwhile.flat())).toEqual([200]);
    // By this time the gateway has detected the hung process and does not call it, so calls that are not idempotent succeed too.
    const changed: Answer[] = [];
    for (let count = 0; count < AT_ONCE; count++) {
      const key = { type: 'SECRET_TEXT', secretText: 'ghp_1', integrationName: 'github', displayName: 'C' };
      changed.push(
        await api.post('/api/v1/connections', {
          ...key,
          externalId: `hung-${attempt}-${count}`,
          scope: 'ORGANIZATION',
        }),
      );
    }
    expect(statuses(changed)).toEqual([201]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => expect((await api.get('/readyz')).status).toBe(200));
  expect(statuses(await askAll())).toEqual([200]);
}

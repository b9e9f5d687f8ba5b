// Shapes: none; in full: local
import { freePort, type Product } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { ownProduct } from './support/own-product.js';
import { plant, type Planted, POISONED, untouched } from './support/poisoned-rows.js';

/** Jobs that integration tests cover instead, because their rows need a complete workspace, a call to a provider, or containers. */
const ELSEWHERE = [
  'connections recording used connections',
  'execution removing orphaned containers',
  'triggers enqueueing due tasks of trigger sources',
  'triggers starting due polls',
];
const CASES = Object.entries(POISONED).flatMap(([service, jobs]) =>
  Object.entries(jobs).map(([job, rows]) => ({ name: `${service} ${job}`, rows })),
);
const isSealed = ({ rows }: (typeof CASES)[number]): boolean => rows.row.includes('sealed');
/** The longest delay of a job, plus time for its work. */
const WITHIN_MS = 45_000;
const KEYS = 'members noting used keys';

let product: Product;
let port: number;
const planted = new Map<string, Planted>();

beforeAll(async () => {
  port = await freePort();
  product = await ownProduct({ env: { METRICS_PORT: String(port) } });
  const plantAll = async (cases: typeof CASES): Promise<void> => {
    for (const { name, rows } of cases) planted.set(name, await plant(product.databaseUrl, rows));
  };
  // The product is stopped, because each job runs as soon as its process starts.
  await product.kill('drawbridge', 'SIGTERM');
  await plantAll(CASES.filter((one) => !isSealed(one)));
  await product.restart('drawbridge');
  // These rows are inserted after the start, because the product does not start if its master key cannot decrypt credentials.
  await plantAll(CASES.filter(isSealed));
});
afterAll(() => product?.stop());

async function metrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** Returns the number of rows that each job has skipped, by service and job name. */
function jobsIn(text: string): Map<string, number> {
  const lines = text.matchAll(/^drawbridge_job_rows_put_aside\{service="(\w+)",job="([^"]+)"\} (\d+)$/gm);
  return new Map([...lines].map(([, service, job, count]) => [`${service} ${job}`, Number(count)]));
}

it('every background job has a case', async () => {
  const expected = [...CASES.map(({ name }) => name), ...ELSEWHERE, KEYS];
  expect([...jobsIn(await metrics()).keys()].sort()).toEqual(expected.sort());
});

it.each(CASES)('a failing row does not block the other rows of the job: $name', async ({ name, rows }) => {
  await eventually(async () => {
    expect(await untouched(product.databaseUrl, rows, planted.get(name)!)).toEqual(['bad']);
  }, WITHIN_MS);
});

it('a key with a use that cannot be recorded does not block other keys', async () => {
  const api = apiOf(product.baseUrl, product.key);
  const created = await Promise.all(
    ['bad', 'good'].map(async (name) => (await api.post('/api/v1/api-keys', { name })).body),
  );
  const [bad, good] = created.map(({ apiKey }) => apiKey.id);
  await rowsOf(
    product.databaseUrl,
    `CREATE TRIGGER poison BEFORE UPDATE ON members.api_keys FOR EACH ROW WHEN (OLD.id = '${bad}')
       EXECUTE FUNCTION public.poisoned()`,
  );
  for (const { plainKey } of created) await apiOf(product.baseUrl, plainKey).get('/api/v1/workspaces');
  const used = 'SELECT id FROM members.api_keys WHERE id = ANY($1::uuid[]) AND last_used_at IS NOT NULL';
  await eventually(async () => expect(await rowsOf(product.databaseUrl, used, [[bad, good]])).toEqual([{ id: good }]));
});

it.each(CASES)('the metric counts the skipped row: $name', async ({ name }) => {
  await eventually(async () => expect(jobsIn(await metrics()).get(name)).toBe(1), WITHIN_MS);
});

// Shapes: processes
import { type Answer, type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { operatorOf } from './support/operator.js';
import { newPerson, type Person, signIn } from './support/web-users.js';
import { apiOfPage } from './support/web.js';
import { newWorkspace, unique } from './support/workspace-integrations.js';

/** The maximum staleness: after this time a change has taken effect everywhere. */
const KNOWN_MS = 1_000;
const ROUNDS_AFTER = 5;
const [DONE, GONE, FORBIDDEN] = [200, 401, 403];

let product: Drawbridge;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  expect(product.baseUrls).toHaveLength(2);
  api = product.api;
  workspaceId = await newWorkspace(api);
});

type Asks = Record<string, (api: Api) => Promise<Answer>>;

/** Reads from every service. */
const READS: Asks = {
  'reads workspaces': (by) => by.get('/api/v1/workspaces'),
  'reads connections': (by) => by.get('/api/v1/connections'),
  'reads executions': (by) => by.get('/api/v1/executions'),
  'executes an action': (by) =>
    by.post('/api/v1/actions/execute', {
      workspaceId,
      integrationName: 'hash-encode',
      actionName: 'hash',
      input: { text: 'a', algorithm: 'sha256' },
    }),
};
const WRITES: Asks = {
  'changes a workspace': (by) => by.patch(`/api/v1/workspaces/${workspaceId}`, { name: unique('Name') }),
  'makes a connection': (by) => by.post('/api/v1/connections', newConnection()),
  'makes a key': (by) => by.post('/api/v1/api-keys', { name: 'Race', permissions: { scope: 'org', grants: [] } }),
};

function newConnection(): object {
  const credential = { type: 'SECRET_TEXT', secretText: 'ghp_1234567890', integrationName: 'github' };
  return { ...credential, externalId: unique('c'), displayName: 'C', scope: 'ORGANIZATION' };
}

interface Seen {
  what: string;
  askedAt: number;
  status: number;
}

/** Each caller repeats all calls without a pause, until some rounds after the time at which the change must have taken effect everywhere. */
async function askedAcross(change: () => Promise<Answer>, callers: Api[], asks: Asks) {
  const seen: Seen[] = [];
  let knownFrom = Infinity;
  const loops = callers.flatMap((caller) =>
    Object.entries(asks).map(async ([what, ask]) => {
      for (let roundsAfter = 0; roundsAfter < ROUNDS_AFTER;) {
        const askedAt = performance.now();
        if (askedAt > knownFrom) roundsAfter += 1;
        seen.push({ what, askedAt, status: (await ask(caller)).status });
      }
    }),
  );
  const isWarm = (): boolean => seen.length > 2 * loops.length;
  while (!isWarm()) await Promise.race([...loops, new Promise((resolve) => setTimeout(resolve, 20))]);
  expect((await change()).status).toBe(DONE);
  knownFrom = performance.now() + KNOWN_MS;
  await Promise.all(loops);
  return { seen, isAfter: ({ askedAt }: Seen): boolean => askedAt > knownFrom };
}

/** Expects that each denied call was allowed before the change, and that no other status occurs. */
async function expectAfter(change: () => Promise<Answer>, callers: Api[], wanted: [Asks, number][]): Promise<void> {
  const { seen, isAfter } = await askedAcross(change, callers, Object.assign({}, ...wanted.map(([asks]) => asks)));
  for (const [asks, status] of wanted) {
    for (const kind of Object.keys(asks)) {
      const all = seen.filter((one) => one.what === kind);
      const outcomes = (some: Seen[]): string[] =>
        [...new Set(some.map((one) => outcomeOf(one.status, status)))].sort();
      expect([kind, outcomes(all.filter(isAfter))]).toEqual([kind, [outcomeOf(status, status)]]);
      expect([kind, outcomes(all)]).toEqual([kind, status === DONE ? ['allowed'] : ['allowed', 'refused']]);
    }
  }
}

function outcomeOf(status: number, refusal: number): string {
  if (status === DONE || status === 201) return 'allowed';
  return status === refusal ? 'refused' : String(status);
}

const everywhere = (plainKey: string): Api[] => product.baseUrls.map((url) => apiOf(url, plainKey));

/** Creates an admin with a key and a session, at each gateway. */
async function newAdmin(): Promise<{ doors: Api[]; path: string }> {
  const person = await newPerson(product.databaseUrl, { orgId: product.orgId, role: 'admin' });
  const wanted = { userEmail: person.email, orgId: product.orgId, name: 'Key' };
  const made = await operatorOf(product.databaseUrl).createKey(wanted);
  const web = await signIn(product.baseUrl, person);
  const pages = product.baseUrls.map((url) => apiOfPage(url, web));
  return { doors: [...everywhere(made.plainKey), ...pages], path: `/api/v1/members/${await memberOf(person)}` };
}

async function memberOf({ email }: Person): Promise<string> {
  const { members } = (await api.get('/api/v1/members?limit=100')).body;
  return members.find((one: { userEmail: string }) => one.userEmail === email).id;
}

describe('within a second, at two gateways, during concurrent requests', () => {
  it('a revoked key is refused by every service', async () => {
    const { body } = await api.post('/api/v1/api-keys', { name: 'Raced' });
    const revoke = (): Promise<Answer> => api.delete(`/api/v1/api-keys/${body.apiKey.id}`);
    await expectAfter(revoke, everywhere(body.plainKey), [[{ ...READS, ...WRITES }, GONE]]);
  });

  it('a key loses the removed grants and keeps the others', async () => {
    const { body } = await api.post('/api/v1/api-keys', { name: 'Raced' });
    const permissions = {
      scope: 'org',
      grants: ['workspaces.read', 'connections.read', 'integrations.read', 'actions.execute'],
    };
    const narrow = (): Promise<Answer> => api.patch(`/api/v1/api-keys/${body.apiKey.id}`, { permissions });
    await expectAfter(narrow, everywhere(body.plainKey), [
      [WRITES, FORBIDDEN],
      [READS, DONE],
    ]);
  });

  it('a removed member is refused by every service, by key and by session', async () => {
    const { doors, path } = await newAdmin();
    await expectAfter(() => api.delete(path), doors, [[{ ...READS, ...WRITES }, GONE]]);
  });

  it('a demoted member loses the permissions of the role, by key and by session, and keeps the others', async () => {
    const { doors, path } = await newAdmin();
    await expectAfter(() => api.patch(path, { role: 'member' }), doors, [
      [WRITES, FORBIDDEN],
      [READS, DONE],
    ]);
  });
});

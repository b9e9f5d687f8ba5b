// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { operatorOf } from './support/operator.js';
import { newOrganization } from './support/organizations.js';
import { fresh } from './support/owned-resources.js';

/** The limits of the plan `free`. */
const ALLOWED = { workspaces: 3, connections: 25 };

let product: Drawbridge;

beforeAll(async () => {
  product = await drawbridge();
});

async function create(api: Api, kind: keyof typeof ALLOWED): Promise<{ id: string; name: string }> {
  const [name, integrationName] = [fresh(), 'github'];
  const body =
    kind === 'workspaces'
      ? { name, slug: name }
      : { integrationName, externalId: name, displayName: name, type: 'SECRET_TEXT', secretText: 'ghp_0123456789' };
  const answer = await api.post(`/api/v1/${kind}`, body);
  expect(answer.status).toBe(201);
  return { id: answer.body[kind.slice(0, -1)].id, name };
}

describe.each(['workspaces', 'connections'] as const)('a plan with a lower limit of %s', (kind) => {
  it('records each one that it suspends, and a higher plan each one that it resumes', async () => {
    const { organization, plainKey } = await newOrganization(product.databaseUrl, 'team');
    const api = apiOf(product.baseUrl, plainKey);
    const made = [];
    for (let n = 0; n < ALLOWED[kind] + 2; n++) made.push(await create(api, kind));
    const over = made.slice(-2).sort((one, other) => (one.id < other.id ? 1 : -1));
    const setPlan = (plan: string) => operatorOf(product.databaseUrl).setPlan({ orgId: organization.id, plan });
    const what = kind.slice(0, -1);
    const entriesOf = (verb: string, reason: string) =>
      eventually(async () => {
        const { entries } = (await api.get(`/api/v1/audit-log?action=${what}.${verb}`)).body;
        const actor = { type: 'system', id: null, name: null };
        const resources = entries.map(({ resource }: any) => resource);
        expect(resources.sort((one: any, other: any) => (one.id < other.id ? 1 : -1))).toEqual(
          over.map(({ id, name }) => ({ type: what, id, name })),
        );
        for (const entry of entries) expect(entry).toMatchObject({ actor, outcome: 'allowed', reason });
      });

    await setPlan('free');
    await entriesOf('suspend', `the plan allows ${ALLOWED[kind]}`);
    await setPlan('enterprise');
    await entriesOf('resume', 'the plan has no limit');
  });
});

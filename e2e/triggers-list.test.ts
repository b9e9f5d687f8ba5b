// Shapes: local
import { type Api } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { keyIn, pushTrigger, simulatedTrigger, TRIGGERS } from './support/triggers.js';

let product: Drawbridge;
let api: Api;
let other: Api;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
});
beforeEach(async () => {
  own = await githubWorkspace(api);
});

it('triggers are listed newest first, in pages, for a workspace or for all', async () => {
  const made = [];
  for (let count = 0; count < 3; count++) made.unshift(await simulatedTrigger(api, own));
  const { triggers, total } = (await api.get(`${TRIGGERS}?workspaceId=${own.workspaceId}`)).body;
  expect({ ids: triggers.map((one: any) => one.id), total }).toEqual({ ids: made.map(({ id }) => id), total: 3 });
  const page = (await api.get(`${TRIGGERS}?limit=1&offset=1`)).body;
  expect(page.triggers.map((one: any) => one.id)).toEqual([made[1].id]);
  expect(page.total).toBeGreaterThanOrEqual(3);
  expect((await other.get(TRIGGERS)).body).toEqual({ triggers: [], total: 0 });
  expectError(await other.get(`${TRIGGERS}?workspaceId=${own.workspaceId}`), 404, 'NOT_FOUND');
});

it('a workspace-scoped key lists only triggers of its workspaces', async () => {
  const { id } = await simulatedTrigger(api, own);
  const [inside, outside] = [
    await keyIn(product, own, 'triggers.write'),
    await keyIn(product, await githubWorkspace(api), 'triggers.write'),
  ];
  expect((await inside.get(TRIGGERS)).body).toMatchObject({ triggers: [{ id }], total: 1 });
  expect((await outside.get(TRIGGERS)).body).toEqual({ triggers: [], total: 0 });
  expectError(await outside.get(`${TRIGGERS}?workspaceId=${own.workspaceId}`), 403, 'SCOPE_DENIED');
  expectError(await outside.post(`${TRIGGERS}/disable`, { triggerSourceId: id }), 403, 'SCOPE_DENIED');
});

it('triggers of a suspended workspace can be neither listed nor changed', async () => {
  const { id: triggerSourceId } = await simulatedTrigger(api, own);
  await api.post(`/api/v1/workspaces/${own.workspaceId}/suspend`);
  const answers = [
    await api.get(`${TRIGGERS}?workspaceId=${own.workspaceId}`),
    await api.post(`${TRIGGERS}/enable`, pushTrigger(own, { simulate: true })),
    await api.post(`${TRIGGERS}/disable`, { triggerSourceId }),
  ];
  for (const answer of answers) {
    expectError(answer, 403, 'FORBIDDEN');
    expect(answer.body.details).toEqual({ reason: 'suspended' });
  }
  // The list of the whole organization still includes the trigger, as the list of connections does.
  expect((await api.get(TRIGGERS)).body.triggers[0]).toMatchObject({ id: triggerSourceId });
});

// Shapes: local; in full: processes
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';
import { newIntegration, newWorkspace, pathOf, unique } from './support/workspace-integrations.js';

const MAX_INSTANCES = 500;
const MAX_SETTINGS = 16 * 1024;
/** The largest settings: 1,024 numbers are 2 kB as JSON and 11 kB as protobuf messages. */
const LARGEST = { numbers: Array<number>((MAX_SETTINGS - '{"numbers":[]}'.length) / 2).fill(0) };

let api: Api;
let databaseUrl: string;

beforeAll(async () => {
  ({ api, databaseUrl } = await drawbridge());
});

const add = (workspace: string, changes: object = {}): Promise<Answer> =>
  api.post(pathOf(workspace), { integrationName: 'hash-encode', alias: unique(), ...changes });

/** Returns settings with this size as JSON. */
const ofBytes = (bytes: number, character = 'x'): object => {
  const room = bytes - '{"text":""}'.length;
  return { text: character.repeat(room / Buffer.byteLength(character)) };
};

describe('the settings of a configured integration', () => {
  it('are limited to 16 kB of JSON, counted in bytes', async () => {
    const workspace = await newWorkspace(api);
    const full = await add(workspace, { settings: ofBytes(MAX_SETTINGS) });
    expect(full.body.integration.settings).toEqual(ofBytes(MAX_SETTINGS));
    expectInvalid(await add(workspace, { settings: ofBytes(MAX_SETTINGS + 1) }), 'settings');
    expectInvalid(await add(workspace, { settings: ofBytes(MAX_SETTINGS + 5, '漢') }), 'settings');
  });

  it('have the same limit in an update', async () => {
    const workspace = await newWorkspace(api);
    const { id } = await newIntegration(api, workspace);
    const change = (settings: object): Promise<Answer> => api.patch(pathOf(workspace, id), { settings });
    expect((await change(ofBytes(MAX_SETTINGS))).status).toBe(200);
    expectInvalid(await change(ofBytes(MAX_SETTINGS + 1)), 'settings');
  });
});

describe('a workspace with 500 configured integrations', () => {
  let workspace: string;

  beforeAll(async () => {
    workspace = await newWorkspace(api);
    const { id } = await newIntegration(api, workspace, { settings: LARGEST });
    // Copies the row of a configured integration, because it would take minutes to create each one through the API.
    await rowsOf(
      databaseUrl,
      `INSERT INTO catalog.workspace_integrations (id, org_id, workspace_id, integration_name, alias, connection_strategy,
         settings, sort_order, updated_at)
       SELECT gen_random_uuid(), org_id, workspace_id, integration_name, 'copy-' || n, connection_strategy, settings, n, now()
       FROM catalog.workspace_integrations, generate_series(1, $2) AS n WHERE id = $1`,
      [id, MAX_INSTANCES - 2],
    );
  });

  it('accepts the 500th from only one of 20 racing requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(workspace)));
    const [taken, refused] = [
      answers.filter(({ status }) => status === 201),
      answers.filter((one) => one.status !== 201),
    ];
    expect(taken).toHaveLength(1);
    for (const answer of refused) expectInvalid(answer, 'workspaceId');

    await api.delete(pathOf(workspace, taken[0]?.body.integration.id));
    expect((await add(workspace)).status).toBe(201);
    expectInvalid(await add(workspace), 'workspaceId');
  });

  it('lists them all and finds the one that a call names', async () => {
    const { status, body } = await api.get(pathOf(workspace));
    expect({ status, total: body.total, listed: body.integrations.length }).toEqual({
      status: 200,
      total: MAX_INSTANCES,
      listed: MAX_INSTANCES,
    });
    expect(body.integrations[7].settings).toEqual(LARGEST);
    const hash = { integrationName: 'hash-encode', actionName: 'hash', input: { text: 'a', algorithm: 'sha256' } };
    const call = { ...hash, workspaceId: workspace, integrationAlias: 'copy-498' };
    expect((await api.post('/api/v1/actions/execute', call)).status).toBe(200);
    const resolve = { integrationName: 'http', workspaceId: workspace };
    expect((await api.post('/api/v1/connections/resolve', resolve)).status).toBe(404);
  });

  it('does not count against another workspace', async () => {
    expect((await add(await newWorkspace(api))).status).toBe(201);
  });
});

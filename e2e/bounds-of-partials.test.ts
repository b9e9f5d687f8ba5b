// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const PATH = '/api/v1/partials';
const MAX_PARTIALS = 500;
/** Size limits in bytes of one input partial (stored values for an action's input), and of all partials of a workspace together. */
const [MAX_VALUES, MAX_HELD] = [64 * 1024, 4 * 1024 * 1024];

/** Copies the row of a partial, because it would take minutes to create each partial through the API. */
const COPY = `
  INSERT INTO catalog.input_partials SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'name', 'n-' || n))).*
  FROM catalog.input_partials one, generate_series(1, $2) AS n WHERE id = $1`;

let api: Api;
let databaseUrl: string;
let workspaceId: string;

beforeAll(async () => {
  ({ api, databaseUrl } = await drawbridge());
});
beforeEach(async () => {
  workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId);
});

const create = (values: object = {}): Promise<Answer> =>
  api.post(PATH, { workspaceId, integrationName: 'hash-encode', name: fresh(), values });
const ofBytes = (bytes: number): object => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

async function copies(count: number, values: object = {}): Promise<string> {
  const { id } = (await create(values)).body.partial;
  await rowsOf(databaseUrl, COPY, [id, count]);
  return id;
}

it('only one of 20 racing requests creates the 500th partial of a workspace, and all are listed', async () => {
  const id = await copies(MAX_PARTIALS - 2);
  const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)]);
  for (const refused of answers.filter(({ status }) => status === 400)) expectInvalid(refused, 'workspaceId');
  const { body } = await api.get(`${PATH}?workspaceId=${workspaceId}`);
  expect([body.total, body.partials.length]).toEqual([MAX_PARTIALS, MAX_PARTIALS]);
  expect((await api.patch(`${PATH}/${id}`, { name: 'Changed' })).status).toBe(200);
});

it('a workspace stores 4 MiB of partial values, updates included, and lists them', async () => {
  const id = await copies(MAX_HELD / MAX_VALUES - 2, ofBytes(MAX_VALUES));
  expect((await create(ofBytes(MAX_VALUES))).status).toBe(201);
  expectInvalid(await create({ text: '' }), 'values');
  expect((await api.patch(`${PATH}/${id}`, { values: ofBytes(MAX_VALUES - 100) })).status).toBe(200);
  expect((await create(ofBytes(100))).status).toBe(201);
  expectInvalid(await api.patch(`${PATH}/${id}`, { values: ofBytes(MAX_VALUES) }), 'values');
  const { body } = await api.get(`${PATH}?workspaceId=${workspaceId}`);
  expect(body.total).toBe(MAX_HELD / MAX_VALUES + 1);
});

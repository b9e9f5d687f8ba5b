// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';
import { fresh } from './support/owned-resources.js';

const PATH = '/api/v1/approval-policies';
const MAX_POLICIES = 500;

/** Copies the row of a policy, because it would take minutes to create each policy through the API. */
const COPY = `
  INSERT INTO approvals.approval_policies SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()))).*
  FROM approvals.approval_policies one, generate_series(1, $2) AS n WHERE id = $1`;

let api: Api;
let other: Api;
let databaseUrl: string;

beforeAll(async () => {
  ({ api, other, databaseUrl } = await drawbridge());
});

const create = (by: Api, fields: object = {}): Promise<Answer> => by.post(PATH, { name: fresh(), ...fields });

async function copies(by: Api, count: number, fields: object = {}): Promise<string> {
  const { id } = (await create(by, fields)).body.policy;
  await rowsOf(databaseUrl, COPY, [id, count]);
  return id;
}

it('only one of 20 racing requests creates the 500th policy of an organization, and all are listed in pages', async () => {
  const id = await copies(api, MAX_POLICIES - 2);
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(api)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)]);
  for (const refused of answers.filter(({ status }) => status === 400)) expectInvalid(refused, 'name');
  const { body } = await api.get(`${PATH}?limit=100&offset=450`);
  expect([body.total, body.policies.length]).toEqual([MAX_POLICIES, MAX_POLICIES - 450]);
  expect((await api.patch(`${PATH}/${id}`, { name: 'Changed' })).status).toBe(200);
  expect((await api.delete(`${PATH}/${id}`)).status).toBe(200);
  expect((await create(api)).status).toBe(201);
});

it('an organization stores 4 MiB of policies, updates included, and a page lists the largest', async () => {
  const list = Array(63).fill('x'.repeat(255));
  const large = {
    actionNames: list,
    integrationNames: list,
    integrationAliases: list,
    rules: { domainDenylist: list },
  };
  const id = await copies(other, 61, large);
  const fill = async (fields: object): Promise<void> => {
    let answer = await create(other, fields);
    while (answer.status === 201) answer = await create(other, fields);
    expectInvalid(answer, 'rules');
  };
  await fill(large);
  expect((await other.patch(`${PATH}/${id}`, { actionNames: [] })).status).toBe(200);
  await fill({ actionNames: list });
  expectInvalid(await other.patch(`${PATH}/${id}`, { actionNames: list }), 'rules');
  expect((await other.patch(`${PATH}/${id}`, { integrationNames: [], actionNames: list })).status).toBe(200);
  expectInvalid(await other.patch(`${PATH}/${id}`, { integrationNames: Array(100).fill('y'.repeat(255)) }), 'rules');
  expect((await other.get(`${PATH}?limit=100`)).body.policies.length).toBeGreaterThan(61);
});

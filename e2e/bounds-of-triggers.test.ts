// Shapes: local
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { pushTrigger, simulatedTrigger, TRIGGERS } from './support/triggers.js';

it('only one of 5 racing requests creates the 5,000th trigger of a workspace', async () => {
  const { api, databaseUrl } = await drawbridge();
  const { id, workspaceId } = await simulatedTrigger(api, await githubWorkspace(api));
  // Copies the row of a trigger source, because it would take minutes to create each source through the API.
  const copy = `INSERT INTO triggers.sources SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()))).*
    FROM triggers.sources one, generate_series(1, 4998) WHERE id = $1`;
  await rowsOf(databaseUrl, copy, [id]);
  const racing = await Promise.all(
    Array.from({ length: 5 }, () => api.post(`${TRIGGERS}/enable`, pushTrigger({ workspaceId }, { simulate: true }))),
  );
  expect(racing.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  for (const refused of racing.filter(({ status }) => status === 400)) expectInvalid(refused, 'workspaceId');
  const { body } = await api.get(`${TRIGGERS}?workspaceId=${workspaceId}`);
  expect(body.total).toBe(5_000);
});

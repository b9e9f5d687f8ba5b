// Shapes: local, processes
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { NOBODY } from './support/expect.js';
import { type Belongings, belongings, GOOD_CALLS } from './support/good-calls.js';
import { callOperation, type Operation, operationsOf, withValue } from './support/operations.js';
import { provider } from './support/provider.js';
import { WORKSPACE_FIELDS } from './support/workspace-fields.js';

type Owned = 'workspaceId' | 'connectionId' | 'integrationId' | 'executionId' | 'keyId';

interface Place {
  id: Owned;
  status: number;
  code: string;
}

/** The places where an id can stand, beside those of a workspace: whose id goes there, and what one that is not there answers. */
const OTHER_PLACES: Record<string, Place> = {
  'RevokeApiKey path.id': { id: 'keyId', status: 404, code: 'NOT_FOUND' },
  'CreateWorkspaceIntegration body.connectionId': { id: 'connectionId', status: 400, code: 'VALIDATION_ERROR' },
  'UpdateWorkspaceIntegration path.id': { id: 'integrationId', status: 404, code: 'NOT_FOUND' },
  'UpdateWorkspaceIntegration body.connectionId': { id: 'connectionId', status: 400, code: 'VALIDATION_ERROR' },
  'DeleteWorkspaceIntegration path.id': { id: 'integrationId', status: 404, code: 'NOT_FOUND' },
  'ListConnections query.id': { id: 'connectionId', status: 404, code: 'NOT_FOUND' },
  'DeleteConnection path.id': { id: 'connectionId', status: 404, code: 'NOT_FOUND' },
  'ExecuteAction body.workspaceIntegrationId': { id: 'integrationId', status: 400, code: 'VALIDATION_ERROR' },
  'GetExecution path.id': { id: 'executionId', status: 404, code: 'NOT_FOUND' },
};

/** Every place where an id can stand. */
const MATRIX = { ...workspacePlaces(), ...OTHER_PLACES };

/** There is no OAuth app to name yet, of one's own or another's: no positive twin. */
const WITHOUT_TWIN = ['CreateConnection body.oauthAppId'];

describe('a resource of another organization', () => {
  let product: Drawbridge;
  let github: FakeProvider;
  let operations: Operation[];
  let mine: Belongings;
  let theirs: Belongings;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    operations = await operationsOf(product.api);
    [mine, theirs] = await Promise.all([belongings(product.api), belongings(product.other)]);
  });
  afterAll(() => github.stop());

  const named = (line: string): [Operation, string] => {
    const [id, place] = line.split(' ') as [string, string];
    const operation = operations.find((one) => one.id === id)!;
    return [operation, operation.idPositions.find((position) => position.endsWith(place)) ?? place];
  };
  const callWith = async (line: string, value?: string): Promise<Answer> => {
    const [operation, position] = named(line);
    const good = await GOOD_CALLS[operation.id]!(mine);
    return callOperation(mine.api, operation, value === undefined ? good : withValue(good, position, value));
  };
  const shown = ({ status, body }: Answer, id: string): unknown =>
    JSON.parse(JSON.stringify({ status, body }).replaceAll(id, '<id>'));

  it('is tried at every place of every operation that the document has', () => {
    const places = operations.flatMap(({ id, idPositions }) => idPositions.map((position) => `${id} ${position}`));
    const tried = [...Object.keys(MATRIX), ...WITHOUT_TWIN].map((line) => {
      const [{ id }, position] = named(line);
      return `${id} ${position}`;
    });
    expect(tried.sort()).toEqual(places.sort());
    expect(Object.keys(GOOD_CALLS).sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it.each(Object.entries(MATRIX))('answers as an absent one: %s', async (line, { id, status, code }) => {
    const absent = await callWith(line, NOBODY);
    const foreign = await callWith(line, theirs[id]);
    expect(absent).toMatchObject({ status, body: { code } });
    expect(shown(foreign, theirs[id])).toEqual(shown(absent, NOBODY));
    expect((await callWith(line)).status).toBeLessThan(300);
  });

  it.each(['connectionExternalId', 'integrationAlias'])('can not be named by its %s', async (key) => {
    const [operation] = named('ExecuteAction body.workspaceId');
    const own = await GOOD_CALLS['ExecuteAction']!(mine);
    const call = { body: { ...own.body, workspaceIntegrationId: undefined, [key]: 'theirs-alone' } };
    const before = github.requests.length;
    const answer = await callOperation(mine.api, operation, call);
    expect(answer.status).toBe(400);
    expect(github.requests).toHaveLength(before);
  });

  it('shows in no list', async () => {
    for (const path of ['workspaces', 'connections', 'api-keys', 'executions']) {
      const text = JSON.stringify((await mine.api.get(`/api/v1/${path}?limit=100`)).body);
      for (const id of [theirs.workspaceId, theirs.connectionId, theirs.keyId, theirs.executionId]) {
        expect(text).not.toContain(id);
      }
    }
  });
});

/** `GetWorkspace .id`: whether in the path, the query or the body the document says. */
function workspacePlaces(): Record<string, Place> {
  const place: Place = { id: 'workspaceId', status: 404, code: 'NOT_FOUND' };
  const lines = Object.entries(WORKSPACE_FIELDS).map(([operation, field]) => `${operation} .${field}`);
  return Object.fromEntries(lines.map((line) => [line, place]));
}

// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectAnswered } from './support/expect-answered.js';
import { UNKNOWN_ID } from './support/expect.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { callOperation, type Operation, operationsOf, withValue } from './support/operations.js';
import { newPerson } from './support/people.js';
import { provider } from './support/provider.js';
import { type Owned } from './support/operation-cases.js';
import { WORKSPACE_FIELDS } from './support/workspace-fields.js';

type Row = [line: string, owned: Owned | null];

/** All fields in the document that contain ids, with the resource of each id: `GetWorkspace .id`. */
const PLACES: Row[] = [
  ...Object.entries(WORKSPACE_FIELDS).map(([operation, field]): Row => [`${operation} .${field}`, 'workspaceId']),
  ...Object.entries(EVERY_OPERATION).flatMap(([id, { ids = {} }]) =>
    Object.entries(ids).map(([position, owned]): Row => [`${id} ${position}`, owned]),
  ),
];
const NAMED = PLACES.flatMap(([line, owned]): [string, Owned][] => (owned ? [[line, owned]] : []));

/** Returns the response to an unknown id: a validation error in a body or filter, except for the workspace's id and the id of the body's subject. */
const absentAt = (position: string): object =>
  /^(body\.(?!([a-z]+\.)?workspaceId$|triggerSourceId$)|query\.\w+IntegrationId$)/.test(position)
    ? { status: 400, body: { code: 'VALIDATION_ERROR' } }
    : { status: 404, body: { code: 'NOT_FOUND' } };

describe('a resource of another organization', () => {
  let product: Drawbridge;
  let github: FakeProvider;
  let operations: Operation[];
  let mine: OwnedResources;
  let theirs: OwnedResources;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    operations = await operationsOf(product.api);
    const [one, another] = await Promise.all([newPerson(product), newPerson(product)]);
    [mine, theirs] = await Promise.all([ownedResources(product.api, one), ownedResources(product.other, another)]);
  });
  afterAll(() => github.stop());

  const named = (line: string): [Operation, string] => {
    const [id, place] = line.split(' ') as [string, string];
    const operation = operations.find((one) => one.id === id)!;
    return [operation, operation.idPositions.find((position) => position.endsWith(place)) ?? place];
  };
  const callWith = async (line: string, value?: string): Promise<Answer> => {
    const [operation, position] = named(line);
    const good = await EVERY_OPERATION[operation.id]!.call(mine);
    return callOperation(mine.api, operation, value === undefined ? good : withValue(good, position, value));
  };
  const shown = ({ status, body }: Answer, id: string): unknown =>
    JSON.parse(JSON.stringify({ status, body }).replaceAll(id, '<id>'));

  it('is tested at every id of every operation in the document', () => {
    const places = operations.flatMap(({ id, idPositions }) => idPositions.map((position) => `${id} ${position}`));
    const tried = PLACES.map(([line]) => {
      const [{ id }, position] = named(line);
      return `${id} ${position}`;
    });
    expect(tried.sort()).toEqual(places.sort());
    expect(Object.keys(EVERY_OPERATION).sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it.each(NAMED)('answers like an unknown one: %s', async (line, owned) => {
    const absent = await callWith(line, UNKNOWN_ID);
    const foreign = await callWith(line, theirs[owned]);
    expect(absent).toMatchObject(absentAt(named(line)[1]));
    expect(shown(foreign, theirs[owned])).toEqual(shown(absent, UNKNOWN_ID));
    expectAnswered(named(line)[0].id, await callWith(line));
  });

  it.each(['connectionExternalId', 'integrationAlias'])('cannot be named by its %s', async (key) => {
    const [operation] = named('ExecuteAction body.workspaceId');
    const own = await EVERY_OPERATION['ExecuteAction']!.call(mine);
    const call = { body: { ...own.body, workspaceIntegrationId: undefined, [key]: 'theirs-alone' } };
    const before = github.requests.length;
    const answer = await callOperation(mine.api, operation, call);
    expect(answer.status).toBe(400);
    expect(github.requests).toHaveLength(before);
  });

  it('appears in no list', async () => {
    const lists = ['workspaces', 'connections', 'api-keys', 'executions', 'members', 'members/invitations', 'triggers'];
    for (const path of lists) {
      const text = JSON.stringify((await mine.api.get(`/api/v1/${path}?limit=100`)).body);
      const { workspaceId, connectionId, keyId, executionId, memberId, invitationId, triggerSourceId } = theirs;
      for (const id of [workspaceId, connectionId, keyId, executionId, memberId, invitationId, triggerSourceId]) {
        expect(text).not.toContain(id);
      }
    }
  });
});

import { accessOf } from './access.mjs';

const ACCESS = { callers: ['gateway'], grant: 'workspaces.read', workspace: 'workspace_id' };
const FIELDS = [
  { name: 'workspace_id', jsonName: 'workspaceId', type: 'TYPE_STRING', proto3Optional: true },
  { name: 'count', jsonName: 'count', type: 'TYPE_INT32' },
  { name: 'ids', jsonName: 'ids', type: 'TYPE_STRING', label: 'LABEL_REPEATED' },
  { name: 'new_thing', jsonName: 'newThing', type: 'TYPE_MESSAGE', typeName: '.drawbridge.catalog.v1.Thing' },
];

/** Returns buf's output for a file with one RPC. */
function imageWith(access, field = FIELDS, name = 'GetThing') {
  const options = access && { '[drawbridge.access.v1.access]': access };
  const own = { name, inputType: '.drawbridge.catalog.v1.GetThingRequest', options };
  const thing = { name: 'Thing', field: [{ name: 'place', jsonName: 'place', type: 'TYPE_STRING' }] };
  const messageType = [{ name: 'GetThingRequest', field }, thing];
  return {
    file: [{ package: 'drawbridge.catalog.v1', messageType, service: [{ name: 'ThingService', method: [own] }] }],
  };
}

const accessWith = (changes) => accessOf(imageWith({ ...ACCESS, ...changes }));

describe('the access of an RPC', () => {
  it('has callers, the required grant, and the path of the workspace', () => {
    const workspace = { path: ['workspaceId'], isOptional: true };
    const getThing = {
      callers: ['gateway'],
      grant: 'workspaces.read',
      workspace,
      action: 'workspace.read',
      isRepeatable: true,
    };
    expect(accessWith({})).toEqual({ 'drawbridge.catalog.v1.ThingService': { getThing } });
  });

  it('finds a workspace in a nested field', () => {
    const [{ getThing }] = Object.values(accessWith({ workspace: 'new_thing.place' }));
    expect(getThing.workspace).toEqual({ path: ['newThing', 'place'], isOptional: false });
  });

  it('can have no workspace', () => {
    const [{ getThing }] = Object.values(
      accessOf(imageWith({ callers: ['gateway'], grant: 'none', organization: true }, [])),
    );
    expect(getThing).toMatchObject({ callers: ['gateway'], grant: 'none', action: 'organization.read' });
  });

  it('can depend on its rows', () => {
    const [{ getThing }] = Object.values(accessOf(imageWith({ callers: ['gateway'], grant: 'any', row: true }, [])));
    expect(getThing).toMatchObject({ callers: ['gateway'], grant: 'any', row: true, action: 'organization.read' });
  });

  it('can allow users without an organization if it needs no grant', () => {
    const open = { callers: ['gateway'], organization: true, withoutOrganization: true };
    const [{ getThing }] = Object.values(accessOf(imageWith({ ...open, grant: 'any' }, [])));
    expect(getThing).toMatchObject({ grant: 'any', withoutOrganization: true });
    const asking = () => accessOf(imageWith({ ...open, grant: 'workspaces.read' }, []));
    expect(asking).toThrow('has withoutOrganization, which needs organization and the grant any');
  });

  it('is required', () => {
    expect(() => accessOf(imageWith(undefined))).toThrow('drawbridge.catalog.v1.ThingService/GetThing: has no option');
  });
});

it('an RPC can allow users named by its row if it reads rows and needs a grant', () => {
  const named = { callers: ['gateway'], grant: 'workspaces.read', row: true, orNamed: true };
  const [{ getThing }] = Object.values(accessOf(imageWith(named, [])));
  expect(getThing).toMatchObject({ grant: 'workspaces.read', row: true, orNamed: true });
  const problem = 'has orNamed, which needs row and a permission as grant';
  expect(() => accessOf(imageWith({ ...named, grant: 'any' }, []))).toThrow(problem);
  expect(() => accessOf(imageWith({ ...named, row: undefined, organization: true }, []))).toThrow(problem);
});

describe('an RPC can be retried', () => {
  it.each([
    ['if its name is that of a read', { name: 'ListThings' }, true],
    ['if it is declared as a read', { name: 'ShowThing', unrecorded: 'reads' }, true],
    ['if it is declared as idempotent', { name: 'OpenThing', repeatable: true }, true],
    ['and not otherwise', { name: 'MakeThing' }, undefined],
  ])('%s', (_, { name, unrecorded = 'x', repeatable }, isRepeatable) => {
    const table = accessOf(imageWith({ ...ACCESS, unrecorded, repeatable }, FIELDS, name));
    const [[access]] = Object.values(table).map(Object.values);
    expect(access.isRepeatable).toBe(isRepeatable);
  });
});

describe('the audit entry of an RPC', () => {
  const makeThing = (changes) =>
    accessOf(imageWith({ ...ACCESS, ...changes }, FIELDS, 'MakeThing'))['drawbridge.catalog.v1.ThingService'].makeThing;

  it('has the declared action', () => {
    expect(makeThing({ audit: 'thing.make' })).toMatchObject({ action: 'thing.make', isRecorded: true });
  });

  it('is written only for refusals if calls are not audited', () => {
    expect(makeThing({ unrecorded: 'reads' })).toEqual(expect.objectContaining({ action: 'workspace.read' }));
    expect(makeThing({ unrecorded: 'reads' })).not.toHaveProperty('isRecorded');
  });

  it('is required for changes', () => {
    expect(() => makeThing({})).toThrow('ThingService/MakeThing: is not audited');
  });

  it.each(['make', 'Thing.make', 'thing.make.again', ''])('has a valid action, unlike %s', (audit) => {
    expect(() => makeThing({ audit })).toThrow('MakeThing');
  });
});

describe('an invalid access option', () => {
  it.each([
    ['no caller', { callers: [] }, 'has no callers'],
    ['an unknown service as caller', { callers: ['gateway', 'gatway'] }, 'gatway: not among members'],
    ['a service that cannot call this one', { callers: ['connections'] }, 'connections: not allowed to call'],
    ['no grant', { grant: undefined }, 'grant "" is not among none, any'],
    ['an unknown grant', { grant: 'workspaces.all' }, 'grant "workspaces.all" is not among none, any'],
    ['no place', { workspace: undefined }, 'has no scope'],
    ['a workspace that is not in the request', { workspace: 'workspaceId' }, 'workspaceId is not a string field'],
    ['a workspace that is a number', { workspace: 'count' }, 'count is not a string field'],
    ['a workspace that is a list', { workspace: 'ids' }, 'ids is not a string field'],
    ['a workspace that is a message', { workspace: 'new_thing' }, 'new_thing is not a string field'],
    ['a workspace in a text', { workspace: 'workspace_id.id' }, 'workspace_id.id is not a string field'],
    ['the organization, where a workspace is named', { workspace: undefined, organization: true }, 'workspace_id'],
    ['rows, where a workspace is named', { workspace: undefined, row: true }, 'workspace_id'],
    ['rows that need no caller', { workspace: undefined, row: true, grant: 'none' }, 'reads rows without a caller'],
  ])('cannot have %s', (_, changes, problem) => {
    expect(() => accessWith(changes)).toThrow(problem);
  });
});

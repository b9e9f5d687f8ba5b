import { type Persistence } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { stateSpaceOf } from './state-space.js';

const place = { orgId: 'o', workspaceId: 'w', integration: 'kv-store' };

function space(persistence: Persistence | undefined, endUserId?: string, name = 'kv-store', usesState?: true) {
  const instance = { id: 'i', alias: 'a', connectionStrategy: 'fixed', persistence };
  const call = { orgId: 'o', request: { workspaceId: 'w', endUserId }, invocation: { instance } };
  return stateSpaceOf({ ...call, piece: { name }, action: { usesState } });
}

it.each<[Persistence | undefined, object]>([
  [undefined, { scope: 'end_user', owner: 'u' }],
  [{}, { scope: 'end_user', owner: 'u' }],
  [{ scope: 'end_user' }, { scope: 'end_user', owner: 'u' }],
  [{ scope: 'workspace' }, { scope: 'workspace', owner: '' }],
  [
    { scope: 'external', externalId: 'u' },
    { scope: 'external', owner: 'u' },
  ],
])('belongs to the owner that the settings %j name', (persistence, owner) => {
  expect(space(persistence, 'u', 'kv-store', true)).toEqual({ ...place, ...owner });
});

it.each([undefined, {}, { scope: 'end_user' }])('needs an end user under %j', async (persistence) => {
  const error = { code: 'VALIDATION_ERROR', details: { fields: { endUserId: {} } } };
  await expect(async () => space(persistence, undefined, 'kv-store', true)).rejects.toMatchObject(error);
});

it('is there for built-in pieces with state alone', () => {
  expect(space(undefined, undefined, 'kv-store')).toBeUndefined();
  expect(space(undefined, undefined, 'acme', true)).toBeUndefined();
});

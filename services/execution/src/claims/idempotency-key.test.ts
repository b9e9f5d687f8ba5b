import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { requestHash } from './idempotency-key.js';

const ID = '01890000-0000-7000-8000-00000000000a';
const request: ExecuteActionRequest = { integrationName: 'http', actionName: 'send_request', workspaceId: ID };

it.each<[string, Partial<ExecuteActionRequest>, Partial<ExecuteActionRequest>]>([
  ['absent input and {}', {}, { input: {} }],
  ['the two cases of workspaceId', {}, { workspaceId: ID.toUpperCase() }],
  ['of workspaceIntegrationId', { workspaceIntegrationId: ID }, { workspaceIntegrationId: ID.toUpperCase() }],
  ['of a partial', { partialIds: [ID] }, { partialIds: [ID.toUpperCase()] }],
  ['the order of keys', { input: { a: 1, b: 2 } }, { input: { b: 2, a: 1 } }],
  ['the keys themselves', { idempotencyKey: 'one' }, { idempotencyKey: 'two' }],
])('takes %s for the same request', (_, one, other) => {
  expect(requestHash({ ...request, ...one })).toBe(requestHash({ ...request, ...other }));
});

it.each<[string, Partial<ExecuteActionRequest>]>([
  ['input', { input: { a: 1 } }],
  ['the end user', { endUserId: 'ann' }],
  ['the action', { actionName: 'other' }],
  ['no partials instead of the default ones', { partialIds: [] }],
  ['its partials', { partialIds: [ID] }],
])('tells requests apart by %s', (_, changes) => {
  expect(requestHash({ ...request, ...changes })).not.toBe(requestHash(request));
});

it('tells a call by a tool from one without, and those of two servers or connections apart', () => {
  const tool = { mcpServerId: 's1', connectionId: 'c1' };
  const hashes = [undefined, tool, { ...tool, mcpServerId: 's2' }, { ...tool, connectionId: 'c2' }].map((one) =>
    requestHash(request, one),
  );
  expect(new Set(hashes).size).toBe(4);
});

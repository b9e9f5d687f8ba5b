import { ApiError } from '@drawbridge/contracts';
import { type Network } from '@drawbridge/rpc';
import { workspaceStates } from './workspace-states.js';

const place = { orgId: 'o', workspaceId: 'w' };
const broken = new ApiError('INTERNAL', 'broken');
const states = workspaceStates({
  client: () => ({ listWorkspaceStates: () => Promise.reject(broken) }),
} as unknown as Network);

it('is away for a delivery, which then waits, whatever members answers', () =>
  expect(states.find(place)).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: broken }));

it('tells apart a failure for one organization from an outage of members', () =>
  expect(states.suspendedOf('o', ['w'])).rejects.toBe(broken));

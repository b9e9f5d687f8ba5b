import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { resolve } from './resolve.js';

const invocation: Invocation = {
  instance: undefined,
  input: undefined,
  connectionTypes: [],
  connectionRequired: false,
};
const invocations = { resolveInvocation: async () => invocation } as unknown as Pipeline['invocations'];

const resolved = (integrationName: string, actionName: string) =>
  resolve({ invocations }, { who: { orgId: 'o' }, request: { integrationName, actionName } } as ActionCall);

describe('what a call means', () => {
  it('comes with the code that does it', async () => {
    const { piece, action } = await resolved('http', 'send_request');
    expect({ piece: piece.name, action: action.displayName }).toEqual({ piece: 'http', action: 'Send request' });
  });

  it.each([
    ['an integration', 'newer', 'act'],
    ['an action', 'http', 'newer'],
    ['an action by a name of every object', 'http', 'constructor'],
  ])('is refused before anything is claimed where the catalog knows %s that this process does not', async (...what) => {
    const [, integrationName, actionName] = what;
    await expect(resolved(integrationName, actionName)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

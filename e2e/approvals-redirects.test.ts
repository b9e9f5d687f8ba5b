// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';

let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  ({ api } = await drawbridge());
  github = await provider();
});
beforeEach(async () => {
  own = await githubWorkspace(api);
  github.reset();
});
afterAll(() => github.stop());

const policy = (fields: object): Promise<any> => newPolicy(api, { workspaceId: own.workspaceId, ...fields });

describe('a redirect is evaluated like the first URL:', () => {
  const [FROM, TO] = ['https://api.example.com/go', 'api.github.com'];
  const send = (): Promise<Answer> =>
    api.post('/api/v1/actions/execute', {
      workspaceId: own.workspaceId,
      integrationName: 'http',
      actionName: 'send_request',
      input: { method: 'GET', url: FROM },
    });
  const redirectTo = (location: string): void => github.on('GET /go', { status: 302, headers: { location } });

  it.each([
    ['a deny list', { domainDenylist: [TO] }, 'block', `https://${TO}/secret`],
    [
      'a deny list, and the host in another spelling',
      { domainDenylist: [TO] },
      'block',
      'https://API%2egithub.com../secret',
    ],
    ['an allow list', { domainAllowlist: ['api.example.com'] }, 'require_approval', `https://${TO}/secret`],
  ])('%s never sends it to another host', async (_what, rules, decision, location) => {
    redirectTo(location);
    const { name } = await policy({ rules, decision });
    const stopped = await send();
    expectError(stopped, 400, 'ACTION_FAILED');
    expect(stopped.body.details).toMatchObject({ provider: { code: 'REDIRECT_BLOCKED' }, retryable: false });
    for (const word of [name, TO, 'directly']) expect(stopped.body.error).toContain(word);
    expect(github.requests.map(({ url }) => url)).toEqual(['/go']);
  });

  it.each<[string, object]>([
    ['without a rule about hosts', { rules: { actionCategories: ['delete'] }, decision: 'block' }],
    ['that only notifies', { rules: { domainDenylist: [TO] }, decision: 'notify_only' }],
    ['of other actions', { rules: { domainDenylist: [TO] }, decision: 'block', actionNames: ['other'] }],
    ['that allows the host', { rules: { domainAllowlist: ['github.com', 'example.com'] }, decision: 'block' }],
  ])('a policy %s lets it go there', async (_what, fields) => {
    redirectTo(`https://${TO}/there`);
    await policy(fields);
    expect((await send()).status).toBe(200);
    expect(github.requests.map(({ url }) => url)).toEqual(['/go', '/there']);
  });
});

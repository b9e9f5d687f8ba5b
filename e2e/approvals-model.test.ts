// Shapes: local
import { fakeProvider, type FakeProvider, type Product, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { approvalOf, newPolicy, waiting } from './support/approvals.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { ownProduct } from './support/own-product.js';
import { fresh } from './support/owned-resources.js';

const MODEL = 'POST /v1/chat/completions';
const ISSUES = 'POST /repos/acme/app/issues';
const EXECUTE = '/api/v1/actions/execute';
/** A policy that matches only if the risk model classifies the call as risky. */
const ASSISTED = { riskMode: 'model_assisted', rules: { actionCategories: ['delete'] } };

let provider: FakeProvider;
let product: Product;
let api: Api;
let own: GithubWorkspace;
let policyId: string;

beforeAll(async () => {
  provider = await fakeProvider();
  const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider.url });
  const RISK_MODEL_URL = `${provider.url}/v1`;
  product = await ownProduct({ env: { ORIGIN_MAP, RISK_MODEL_URL, RISK_MODEL: 'judge' } });
  api = apiOf(product.baseUrl, product.key);
  own = await githubWorkspace(api);
  ({ id: policyId } = await newPolicy(api, {
    workspaceId: own.workspaceId,
    description: 'Nothing rude.',
    ...ASSISTED,
  }));
  provider.on(MODEL, says(true));
  await waiting(api, titled(fresh()));
});
beforeEach(() => provider.reset());
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

function says(risky: boolean, reason = 'It is rude.'): ProviderBehaviour {
  return { body: { choices: [{ message: { role: 'assistant', content: JSON.stringify({ risky, reason }) } }] } };
}

const titled = (title: string) => ({ ...own.createIssue, input: { ...own.createIssue.input, title } });
const told = (): any[] =>
  provider.requests
    .filter(({ url }) => url.startsWith('/v1/'))
    .map(({ body }) => JSON.parse(JSON.parse(body.messages.at(-1).content).call));
const waits = async (): Promise<number> => (await api.get('/api/v1/approvals?limit=1')).body.total;

describe('a call of which a policy asks a model', () => {
  it('runs without an approval if the model rates it harmless', async () => {
    const before = await waits();
    const title = fresh();
    provider.on(MODEL, says(false));
    provider.on(ISSUES, { status: 201, body: { number: 7 } });
    expect((await api.post(EXECUTE, titled(title))).status).toBe(200);
    expect(told()).toMatchObject([{ actionName: 'create_issue', input: { title } }]);
    expect(await waits()).toBe(before);
  });

  it.each<[string, ProviderBehaviour, string]>([
    ['takes it for risky', says(true), 'It is rude.'],
    ['fails', { status: 500 }, 'it gave no verdict (status 500)'],
    ['hangs up', { reset: true }, 'it gave no verdict (UNREACHABLE)'],
    ['speaks of something else', { body: { choices: [] } }, 'it gave no verdict'],
  ])('waits for a person where the model %s, and nothing is sent', async (_how, answer, reason) => {
    provider.on(MODEL, answer);
    const { id } = await waiting(api, titled(fresh()));
    expect((await approvalOf(api, id)).riskReasons).toEqual([`riskMode: model_assisted: ${reason}`]);
    expect(provider.requests.filter(({ url }) => url.includes('/repos/'))).toEqual([]);
  });

  it.each([
    ['a value under a name that the caller chose', 'https://x.example/?token=delete-everything'],
    ['the end of a long value', 'x'.repeat(50_000)],
  ])('waits for a person where the model cannot see %s', async (_what, body) => {
    provider.on(MODEL, says(false));
    const call = titled(fresh());
    const { id } = await waiting(api, { ...call, input: { ...call.input, body } });
    const { riskReasons, truncatedFields } = await approvalOf(api, id);
    expect(riskReasons).toEqual(['riskMode: model_assisted: the model cannot see the whole input']);
    expect(truncatedFields).toEqual(['body']);
    expect(told()).toEqual([]);
  });

  it('is rated once, and again after the policy has changed', async () => {
    const call = titled(fresh());
    const times = async (verdict: boolean, status: number, asked: number): Promise<void> => {
      provider.on(MODEL, says(verdict));
      expect([(await api.post(EXECUTE, call)).status, told().length]).toEqual([status, asked]);
    };
    await times(true, 202, 1);
    await times(false, 202, 1);
    await api.patch(`/api/v1/approval-policies/${policyId}`, { description: 'Nothing very rude.' });
    await times(false, 200, 2);
    await times(true, 200, 2);
  });

  it('is rated again if the model was unreachable', async () => {
    const call = titled(fresh());
    provider.on(MODEL, { status: 500 });
    await waiting(api, call);
    provider.on(MODEL, says(false));
    expect((await api.post(EXECUTE, call)).status).toBe(200);
  });

  it('stays risky if one of many concurrent ratings says so', async () => {
    const call = titled(fresh());
    const ASKED = 10;
    let letGo = (): void => undefined;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    let asked = 0;
    provider.on(MODEL, () => {
      asked += 1;
      if (asked === ASKED) letGo();
      return { ...says(asked === 3), until };
    });
    await Promise.all(Array.from({ length: ASKED }, () => api.post(EXECUTE, call)));
    const { id } = await waiting(api, call);
    expect((await approvalOf(api, id)).riskReasons).toEqual(['riskMode: model_assisted: It is rude.']);
    expect(asked).toBe(ASKED);
  });
});

it('sends the model the same part of the input in a policy test as in a call', async () => {
  provider.on(MODEL, says(false));
  const input = {
    url: 'https://ann:hush-1@x.example/?access_token=hush-2&page=3',
    headers: { authorization: 'Bearer hush-3', accept: '*/*' },
    list: [{ apiKey: 'hush-4' }],
  };
  const context = { integrationName: 'http', actionName: 'send_request', input };
  const { body } = await api.post('/api/v1/approval-policies/test', { policy: ASSISTED, context });
  expect(body).toMatchObject({ decision: 'allow' });
  const [call] = told();
  expect(call.input).toMatchObject({ headers: { authorization: '[redacted]', accept: '*/*' } });
  expect(call.input.url).toContain('page=3');
  expect(JSON.stringify(provider.requests)).not.toContain('hush-');
});

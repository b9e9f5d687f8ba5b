// Shapes: local
import { createHash } from 'node:crypto';
import { type Api } from './support/api.js';
import { approvalOf, decide, newKey, newPolicy, waiting } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type Linked, newLink, openLink } from './support/hosted-links.js';
import { type Web } from './support/web.js';

let product: Drawbridge;
let api: Api;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  own = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId });
  await waiting(api, own.createIssue);
});

const linked = (input: object): Promise<Linked> =>
  newLink(api, { ...own.createIssue, idempotencyKey: newKey(), input });
const entered = (link: Linked): Promise<Web> => openLink(product.baseUrl, link);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

it('repeats what would run before it approves', async () => {
  const input = { repo: 'acme/app', title: 'pay \u202Eann', labels: ['to-\u0430cme'] };
  const link = await linked(input);
  const { text } = await (await entered(link)).get(`${link.home}/approve`);
  for (const said of ['acme/app', 'pay ⟨U+202E⟩ann', 'to-⟨U+0430⟩cme', 'GitHub (gh)']) expect(text).toContain(said);
});

it('shows every field, however long the others are, and approves no input that it cannot show in full', async () => {
  // The input exceeds 64 kB, so its preview is built in a worker thread.
  const input = { body: 'x'.repeat(65_500), repo: 'acme/app', title: 'the last of the keys' };
  const approval = await approvalOf(api, (await linked(input)).id);
  const { repo, title } = input;
  const body = { truncated: true, preview: expect.any(String), bytes: 65_500, sha256: sha256(input.body) };
  expect(approval).toMatchObject({
    inputPreview: { repo, title, body },
    truncatedFields: ['body'],
    omittedFields: 0,
  });

  const [link, other] = [await linked(input), await linked(input)];
  const web = await entered(link);
  const { text } = await web.get(link.home);
  for (const said of [title, sha256(input.body), '65,500 bytes', 'can reject the request but not approve it'])
    expect(text).toContain(said);
  expect(text).not.toContain(`${link.home}/approve`);
  expect((await web.get(`${link.home}/approve`)).to).toBe(link.home);
  expect((await web.post(`${link.home}/approve`)).status).toBe(403);
  expect((await approvalOf(api, link.id)).status).toBe('pending');
  expect((await web.post(`${link.home}/reject`)).to).toBe(link.home);
  expect((await approvalOf(api, link.id)).status).toBe('rejected');
  expect((await decide(api, other.id, 'approve')).status).toBe(200);
});

it('shows all of a value that a caller made look like a shortened one', async () => {
  const body = {
    truncated: true,
    preview: 'harmless',
    bytes: 8,
    sha256: sha256('harmless'),
    token: 'x',
    amount: 7_000,
  };
  const link = await newLink(api, {
    workspaceId: own.workspaceId,
    integrationName: 'http',
    actionName: 'send_request',
    idempotencyKey: newKey(),
    input: { method: 'POST', url: 'https://api.example.com/', json: body },
  });
  const { text } = await (await entered(link)).get(link.home);
  for (const said of ['harmless', 'amount', '7000', 'can reject the request but not approve it'])
    expect(text).toContain(said);
});

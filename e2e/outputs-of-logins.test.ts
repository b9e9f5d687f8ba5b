// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { provider } from './support/provider.js';

describe('the response of a provider to a call with basic authentication', () => {
  let product: Drawbridge;
  let thirdParty: FakeProvider;
  let workspaceId: string;

  beforeAll(async () => {
    product = await drawbridge();
    thirdParty = await provider();
    const made = await product.api.post('/api/v1/workspaces', { name: 'Logins', slug: fresh() });
    workspaceId = made.body.workspace.id;
  });
  afterAll(() => thirdParty.stop());

  async function connect(credential: object): Promise<string> {
    const externalId = fresh();
    const body = { integrationName: 'http', externalId, displayName: 'Login', ...credential };
    expect((await product.api.post('/api/v1/connections', body)).status).toBe(201);
    return externalId;
  }

  function call(more: object): Promise<Answer> {
    const input = { method: 'GET', url: 'https://api.example.com/' };
    const action = { integrationName: 'http', actionName: 'send_request' };
    return product.api.post('/api/v1/actions/execute', { ...action, workspaceId, input, ...more });
  }

  function answer(body: object, more: object): Promise<Answer> {
    sent(JSON.stringify(body), 'application/json');
    return call(more);
  }

  async function lastRun(): Promise<any> {
    return (await product.api.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body.executions[0];
  }

  const password = 'pass-word-1';
  const login = (): Promise<string> => connect({ type: 'BASIC_AUTH', username: 'admin', password });
  const sent = (body: string | Buffer, type: string): void =>
    void thirdParty.on('*', { headers: { 'content-type': type }, body });

  it('is passed on byte for byte in the response, the stored response and the run log', async () => {
    const more = { connectionExternalId: await login(), idempotencyKey: 'an innocent answer' };
    const body = { role: 'admin', admin: { administrators: ['admin', 'YWRtaW4='] }, password: 'admin', n: 1e-7 };
    expect((await answer(body, more)).body.output.body).toEqual(body);
    expect((await call(more)).body.output.body).toEqual(body);
    const { role, admin } = (await lastRun()).output.body;
    expect({ role, admin }).toEqual({ role: body.role, admin: body.admin });
  });

  it('has the password and the login redacted', async () => {
    const basic = Buffer.from(`admin:${password}`).toString('base64');
    const body = { said: `Basic ${basic}`, [`a ${password.slice(0, 4)}`]: `admin:${password}`, user: 'admin' };
    const { output } = (await answer(body, { connectionExternalId: await login() })).body;
    expect(output.body).toEqual({
      said: expect.stringMatching(/^Basic \[redacted\]=?$/),
      'a pass': '[redacted]',
      user: 'admin',
    });
  });

  it('is passed on byte for byte as a file, and fails where the file contains a secret', async () => {
    const connectionExternalId = await login();
    const every = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256));
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7 /Author (admin) '), every]);
    sent(pdf, 'application/pdf');
    const { output } = (await call({ connectionExternalId })).body;
    expect(output.body).toMatchObject({ mimeType: 'application/pdf', base64: pdf.toString('base64') });

    sent(Buffer.concat([pdf, Buffer.from(encodeURIComponent(` ${password} `)), pdf]), 'application/pdf');
    const refused = await call({ connectionExternalId });
    expectError(refused, 400, 'ACTION_FAILED');
    expect(refused.body.details).toMatchObject({ provider: { code: 'SECRET_IN_FILE' }, retryable: false });
    expect(await lastRun()).toMatchObject({ status: 'failed', output: null });
  });
});

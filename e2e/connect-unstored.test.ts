// Shapes: none; in full: local
import { temporaryDatabase } from '@drawbridge/testkit';
import { connect, connectProduct, type ConnectProduct, goThere } from './support/connect.js';
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { type Vendor } from './support/vendors/dialects.js';

let its: ConnectProduct;
let behind: Awaited<ReturnType<typeof temporaryDatabase>>;
let database: DatabaseProxy;

beforeAll(async () => {
  behind = await temporaryDatabase();
  database = await databaseProxy(behind.url);
  its = await connectProduct({ env: { DATABASE_URL: database.url } });
});
afterAll(async () => {
  await its?.stop();
  await database?.stop();
  await behind?.drop();
});

/** Consents at the provider and follows the redirect back. `meanwhile` runs after the provider granted access and before Drawbridge stores it. */
async function connectWhile(meanwhile: () => Promise<unknown>, fields: object, vendor: Vendor = 'plain') {
  const { opened, web, back } = await goThere(its, vendor, 'yes', fields);
  let answer = (): void => undefined;
  its.vendors.hold(vendor, { until: new Promise<void>((resolve) => (answer = resolve)) });
  const asked = its.vendors.asked(vendor);
  const coming = web.get(back);
  await eventually(async () => expect(its.vendors.asked(vendor)).toBe(asked + 1));
  await meanwhile();
  its.vendors.hold(vendor, {});
  answer();
  await coming;
  return opened;
}

const newWorkspace = async (): Promise<string> =>
  (await its.api.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body.workspace.id;

async function expectGivenBack(vendor: Vendor, work: () => Promise<unknown>): Promise<void> {
  const before = its.vendors.revoked(vendor);
  await work();
  await eventually(async () => expect(its.vendors.revoked(vendor)).toBe(before + 1));
}

describe('a grant that cannot be stored is revoked at the provider', () => {
  it('where the end user was deleted meanwhile', async () => {
    const { workspaceId } = its;
    const { endUser } = (await its.api.post('/api/v1/end-users', { workspaceId, externalId: 'left' })).body;
    const person = { scope: 'USER', endUserId: 'left' };
    await expectGivenBack('plain', async () => {
      const { token } = await connectWhile(() => its.api.delete(`/api/v1/end-users/${endUser.id}`), person);
      expectError(await its.api.post('/api/v1/connect/session/poll', { token }), 401, 'INVALID_TOKEN');
    });
  });

  it.each([
    ['suspended', (id: string) => its.api.post(`/api/v1/workspaces/${id}/suspend`)],
    ['deleted', (id: string) => its.api.delete(`/api/v1/workspaces/${id}`)],
  ])('where the workspace was %s meanwhile', async (_, change) => {
    const workspaceId = await newWorkspace();
    await expectGivenBack('plain', () => connectWhile(() => change(workspaceId), { workspaceId }));
  });

  it('where the externalId belongs to another integration', async () => {
    const { opened } = await connect(its, 'plain');
    await expectGivenBack('hubspot', async () => {
      const { session } = await connect(its, 'hubspot', { externalId: opened.externalId });
      expect(session.status).toBe('FAILED');
    });
  });

  it('but not on a failed reconnect, because that would revoke the existing connection', async () => {
    const { opened, session } = await connect(its, 'slack');
    await its.api.post(`/api/v1/connections/${session.connectionId}/suspend`);
    // Grants of one provider are revoked in order. If this grant were revoked, it would be revoked before the next grant.
    await expectGivenBack('slack', async () => {
      const { session: again } = await connect(its, 'slack', { externalId: opened.externalId });
      expect(again).toMatchObject({ status: 'FAILED', error: expect.stringContaining('suspended') });
      const workspaceId = await newWorkspace();
      const suspend = () => its.api.post(`/api/v1/workspaces/${workspaceId}/suspend`);
      await connectWhile(suspend, { workspaceId }, 'slack');
    });
  });
});

describe('a grant is stored', () => {
  it.each(['before', 'after'] as const)('although the database connection breaks %s the insert', async (when) => {
    const { opened, web, back } = await goThere(its);
    const [asked, revoked] = [its.vendors.asked('plain'), its.vendors.revoked('plain')];
    const cut = database.cutAt(/INSERT INTO .*"connections"\."connections"/, when);
    const coming = web.get(back);
    await cut;
    database.restore();
    expect((await coming).to).toBe(`/connect/${opened.sessionId}`);
    await eventually(async () => expect((await its.session(opened.sessionId)).status).toBe('COMPLETED'));
    expect((await its.execute('test-plain', opened.externalId)).status).toBe(200);
    expect(its.vendors.asked('plain')).toBe(asked + 1);
    expect(its.vendors.revoked('plain')).toBe(revoked);
  });
});

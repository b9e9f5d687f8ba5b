// Shapes: none; in full: local
import { connect, connectProduct, type ConnectProduct, goThere, integrationOf } from './support/connect.js';
import { eventually } from './support/eventually.js';
import { type Dialect, DIALECTS, VENDORS } from './support/vendors/dialects.js';

let its: ConnectProduct;

beforeAll(async () => (its = await connectProduct()));
afterAll(() => its?.stop());

describe.each(VENDORS)('%s', (vendor) => {
  it('connects after consent, and its connection can be used', async () => {
    const { opened, session } = await connect(its, vendor);
    expect(session).toMatchObject({ status: 'COMPLETED', error: null, connectionId: expect.any(String) });
    const { connection } = (await its.api.get(`/api/v1/connections?id=${session.connectionId}`)).body;
    const { externalId } = opened;
    expect(connection).toMatchObject({ externalId, type: 'PLATFORM_OAUTH2', status: 'ACTIVE', displayName: 'Mine' });
    const { status, body } = await its.execute(integrationOf(vendor), externalId);
    expect({ status, output: body.output }).toMatchObject({
      status: 200,
      output: { account: 'ann', scope: 'read write' },
    });
  });

  it('reconnects under the same id after a revocation at the provider', async () => {
    const { opened, session } = await connect(its, vendor);
    const { externalId } = opened;
    await its.vendors.revokeAll(vendor);
    expect((await its.execute(integrationOf(vendor), externalId)).status).toBe(400);
    const read = async () => (await its.api.get(`/api/v1/connections?id=${session.connectionId}`)).body.connection;
    expect((await read()).status).toBe('ERROR');
    const again = await connect(its, vendor, { externalId });
    expect(again.session.connectionId).toBe(session.connectionId);
    expect(await read()).toMatchObject({ status: 'ACTIVE', error: null });
    expect((await its.execute(integrationOf(vendor), externalId)).status).toBe(200);
  });

  it('fails the session where the user declines', async () => {
    const { opened, web, back } = await goThere(its, vendor, 'no');
    expect((await web.get(back)).to).toBe(`/connect/${opened.sessionId}`);
    expect(await its.session(opened.sessionId)).toMatchObject({
      status: 'FAILED',
      connectionId: null,
      error: 'access_denied: The person said no',
    });
    expect((await web.get(`/connect/${opened.sessionId}`)).text).toContain('is not connected');
  });
});

it.each(VENDORS.filter((vendor) => (DIALECTS[vendor] as Dialect).refreshes))(
  '%s refreshes an expired token',
  async (vendor) => {
    its.vendors.live(vendor, 2);
    const { opened } = await connect(its, vendor);
    its.vendors.live(vendor, 3_600);
    const before = its.vendors.asked(vendor, 'refresh_token');
    await eventually(async () => {
      expect((await its.execute(integrationOf(vendor), opened.externalId)).status).toBe(200);
      expect(its.vendors.asked(vendor, 'refresh_token')).toBe(before + 1);
    });
  },
);

// Shapes: none; in full: local
import { type EmailedCodes, emailedCodes } from './support/emailed-codes.js';
import { rowsOf } from './support/database.js';
import { fresh } from './support/owned-resources.js';
import { type Web } from './support/web.js';

let its: EmailedCodes;
let web: Web;

beforeAll(async () => void (its = await emailedCodes('http://bridge.example')));
beforeEach(() => void (web = its.browser()));
afterAll(() => its?.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });
const requestFrom = (address: string, email: string, by = its.browser()) =>
  its.ask(by, email, its.scene, from(address));

describe('the form that sends a code', () => {
  it('limits each network to five codes a day for an email, known or unknown', async () => {
    for (const email of [await its.person(), `${fresh()}@example.com`]) {
      const asking = Array.from({ length: 8 }, () => requestFrom('203.0.113.1', email));
      const statuses = (await Promise.all(asking)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([...Array(5).fill(303), ...Array(3).fill(429)]);
      expect((await requestFrom('203.0.113.2', email)).status).toBe(303);
    }
  });

  it('still serves a browser and a network that verified the email when others have used up its limit', async () => {
    const email = await its.person();
    expect((await requestFrom('203.0.113.10', email, web)).status).toBe(303);
    expect((await its.enter(web, await its.codeOf(email))).status).toBe(303);
    for (let at = 0; at < 20; at++) await requestFrom(`203.0.113.${20 + Math.floor(at / 5)}`, email);
    expect((await requestFrom('203.0.113.30', email)).status).toBe(429);
    const shown = its.mailsTo(email).length;
    expect((await requestFrom('203.0.113.31', email, web)).status).toBe(303);
    expect((await requestFrom('203.0.113.10', email)).status).toBe(303);
    expect((await its.enter(web, await its.codeOf(email, Math.max(shown, 20) + 2))).status).toBe(400); // the newest code belongs to the other browser
    const asking = Array.from({ length: 12 }, () => requestFrom('203.0.113.32', email, web));
    expect((await Promise.all(asking)).filter(({ status }) => status === 303).length).toBeLessThan(10);
  });

  it('still serves end users, however many unknown emails are entered', async () => {
    const email = await its.person();
    const { orgId } = (await its.api.get('/api/v1/api-keys')).body.apiKeys[0];
    const filled = `INSERT INTO connections.email_proofs (id, org_id, workspace_id, flow_hash, email, code_hashes, expires_at)
      SELECT gen_random_uuid(), $1, $2, '', 'unknown-' || n || '@example.com', $3, now() FROM generate_series(1, 20000) n`;
    const fill = (codes: string[]) => rowsOf(its.product.databaseUrl, filled, [orgId, its.workspaceId, codes]);
    await fill([]);
    expect((await requestFrom('203.0.113.40', email)).status).toBe(303);
    await its.codeOf(email);
    await fill(['mailed']);
    expect((await requestFrom('203.0.113.40', email)).status).toBe(429);
    await rowsOf(its.product.databaseUrl, "DELETE FROM connections.email_proofs WHERE flow_hash = ''");
  });
});

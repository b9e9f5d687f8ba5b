// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { operatorOf } from './support/operator.js';
import { ownProduct } from './support/own-product.js';
import { fresh } from './support/owned-resources.js';
import { organizationOn, type PlansFile, plansFile } from './support/plans.js';

const OVER = 3;
const STUCK = 5;

let plans: PlansFile;
let product: Product;

beforeAll(async () => {
  plans = plansFile({ one: { workspaces: 1 } });
  product = await ownProduct({ env: { PLANS_FILE: plans.path } });
});
afterAll(async () => {
  await product?.stop();
  plans.remove();
});

const sql = (text: string) => rowsOf(product.databaseUrl, text);
const inUse = async (api: Api): Promise<number> => (await api.get('/api/v1/workspaces')).body.total;

/** Creates an organization with more workspaces than the plan `one` allows. */
async function full(): Promise<{ orgId: string; api: Api; downgrade(): Promise<unknown> }> {
  const { api, organization } = await organizationOn('free', { product, plans });
  for (let n = 0; n < OVER; n++) await api.post('/api/v1/workspaces', { name: 'One', slug: fresh() });
  const operator = operatorOf(product.databaseUrl, plans.path);
  const downgrade = () => operator.setPlan({ orgId: organization.id, plan: 'one' });
  return { orgId: organization.id, api, downgrade };
}

it('a plan change applies to other organizations while the rows of some cannot be updated, and to those later', async () => {
  const stuck = await Promise.all(Array.from({ length: STUCK }, full));
  const other = await full();
  const ids = stuck.map(({ orgId }) => `'${orgId}'`).join(', ');
  await sql(`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await sql(`CREATE TRIGGER refuse BEFORE UPDATE ON members.workspaces
    FOR EACH ROW WHEN (NEW.org_id IN (${ids})) EXECUTE FUNCTION public.refuse()`);
  for (const { downgrade } of [...stuck, other]) await downgrade();
  await eventually(async () => expect(await inUse(other.api)).toBe(1));
  for (const { api } of stuck) expect(await inUse(api)).toBe(OVER);

  await sql('DROP TRIGGER refuse ON members.workspaces');
  for (const { api } of stuck) await eventually(async () => expect(await inUse(api)).toBe(1));
});

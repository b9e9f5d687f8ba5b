import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Limits } from '@drawbridge/contracts';
import { type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './api.js';
import { type NewOrganization, newOrganization } from './organizations.js';

export const NO_LIMITS: Limits = {
  requestsPerMinute: null,
  workspaces: null,
  members: null,
  mcpServers: null,
  connections: null,
  actionsPerMonth: null,
  sandboxRunsPerMonth: null,
  minimumPollingMinutes: null,
  callbacksPerTrigger: 10,
  tenantOAuthApps: true,
};

export interface PlansFile {
  /** The value of PLANS_FILE. */
  path: string;
  remove(): void;
}

/** Writes a file for PLANS_FILE with these plans. A plan has only the listed limits. The plan `free` has no limits unless it is listed. */
export function plansFile(plans: Record<string, Partial<Limits>>): PlansFile {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-plans-'));
  const path = join(folder, 'plans.json');
  const whole = Object.entries({ free: {}, ...plans }).map(([name, limits]) => [name, { ...NO_LIMITS, ...limits }]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(whole)));
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** Creates an organization on a plan of the file. `apis` contains the API with its first key for each gateway. */
export async function organizationOn(
  plan: string,
  { product, plans }: { product: Product; plans: PlansFile },
): Promise<NewOrganization & { api: Api; apis: Api[] }> {
  const made = await newOrganization(product.databaseUrl, plan, plans.path);
  const apis = product.baseUrls.map((url) => apiOf(url, made.plainKey));
  return { ...made, apis, api: apis[0]! };
}

// Shapes: local
import { apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { newOrganization } from './support/organizations.js';

const NONE = null;

/** The plans that apply if PLANS_FILE is not set. */
const BUILT_IN: Record<string, object> = {
  free: {
    ...{ requestsPerMinute: 200, workspaces: 3, members: 3, mcpServers: 3, connections: 25 },
    ...{ actionsPerMonth: 1_000, sandboxRunsPerMonth: 100, minimumPollingMinutes: 15, tenantOAuthApps: false },
    callbacksPerTrigger: 10,
  },
  team: {
    ...{ requestsPerMinute: 2_000, workspaces: 25, members: 25, mcpServers: 50, connections: 1_000 },
    ...{ actionsPerMonth: 100_000, sandboxRunsPerMonth: 10_000, minimumPollingMinutes: 5, tenantOAuthApps: true },
    callbacksPerTrigger: 10,
  },
  scale: {
    ...{ requestsPerMinute: 10_000, workspaces: 250, members: 100, mcpServers: 500, connections: 50_000 },
    ...{ actionsPerMonth: 2_000_000, sandboxRunsPerMonth: 200_000, minimumPollingMinutes: 1, tenantOAuthApps: true },
    callbacksPerTrigger: 10,
  },
  enterprise: {
    ...{ requestsPerMinute: 60_000, workspaces: NONE, members: NONE, mcpServers: NONE, connections: NONE },
    ...{ actionsPerMonth: NONE, sandboxRunsPerMonth: NONE, minimumPollingMinutes: 1, tenantOAuthApps: true },
    callbacksPerTrigger: 10,
  },
};

it.each(Object.keys(BUILT_IN))('an organization on the plan %s has all its limits', async (plan) => {
  const { baseUrl, databaseUrl } = await drawbridge();
  const { plainKey } = await newOrganization(databaseUrl, plan);
  const { body, headers } = await apiOf(baseUrl, plainKey).get('/api/v1/organization');
  expect([body.organization.plan, body.limits]).toEqual([plan, BUILT_IN[plan]]);
  expect(headers.get('x-ratelimit-limit')).toBe(String(body.limits.requestsPerMinute));
});

it('other plans do not exist', async () => {
  const { databaseUrl } = await drawbridge();
  await expect(newOrganization(databaseUrl, 'none')).rejects.toThrow('must be one of free, team, scale, enterprise');
});

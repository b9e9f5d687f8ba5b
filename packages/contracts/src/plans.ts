/** The limits of a plan. Null means no limit. Operators replace the table with PLANS_FILE. */
export interface Limits {
  requestsPerMinute: number | null;
  workspaces: number | null;
  members: number | null;
  mcpServers: number | null;
  connections: number | null;
  actionsPerMonth: number | null;
  sandboxRunsPerMonth: number | null;
  minimumPollingMinutes: number | null;
  /** Maximum number of concurrent callbacks of one trigger, per process. The default applies if an operator's plan omits it. */
  callbacksPerTrigger: number | null;
  tenantOAuthApps: boolean;
}

export const DEFAULT_CALLBACKS_PER_TRIGGER = 10;

export type Plans = Record<string, Limits>;

export const DEFAULT_PLANS: Plans = {
  free: {
    requestsPerMinute: 200,
    workspaces: 3,
    members: 3,
    mcpServers: 3,
    connections: 25,
    actionsPerMonth: 1_000,
    sandboxRunsPerMonth: 100,
    minimumPollingMinutes: 15,
    callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER,
    tenantOAuthApps: false,
  },
  team: {
    requestsPerMinute: 2_000,
    workspaces: 25,
    members: 25,
    mcpServers: 50,
    connections: 1_000,
    actionsPerMonth: 100_000,
    sandboxRunsPerMonth: 10_000,
    minimumPollingMinutes: 5,
    callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER,
    tenantOAuthApps: true,
  },
  scale: {
    requestsPerMinute: 10_000,
    workspaces: 250,
    members: 100,
    mcpServers: 500,
    connections: 50_000,
    actionsPerMonth: 2_000_000,
    sandboxRunsPerMonth: 200_000,
    minimumPollingMinutes: 1,
    callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER,
    tenantOAuthApps: true,
  },
  enterprise: {
    requestsPerMinute: 60_000,
    workspaces: null,
    members: null,
    mcpServers: null,
    connections: null,
    actionsPerMonth: null,
    sandboxRunsPerMonth: null,
    minimumPollingMinutes: 1,
    callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER,
    tenantOAuthApps: true,
  },
};

/** Every service in start order, with the services that it may call and whether it stores data. The graph has no cycles. */
const TABLE = {
  members: { mayCall: [], hasDatabase: true },
  connections: { mayCall: ['members'], hasDatabase: true },
  catalog: { mayCall: ['members', 'connections'], hasDatabase: true },
  approvals: { mayCall: ['members', 'connections'], hasDatabase: true },
  execution: { mayCall: ['members', 'catalog', 'connections', 'approvals'], hasDatabase: true },
  triggers: { mayCall: ['members', 'catalog', 'connections', 'execution'], hasDatabase: true },
  mcp: { mayCall: ['members', 'catalog', 'connections'], hasDatabase: true },
  gateway: {
    mayCall: ['members', 'catalog', 'connections', 'approvals', 'execution', 'triggers', 'mcp'],
    hasDatabase: false,
  },
} as const;

export type ServiceName = keyof typeof TABLE;

interface ServiceFacts {
  mayCall: readonly ServiceName[];
  /** Set if the service has a PostgreSQL schema, and publishes and consumes events. */
  hasDatabase: boolean;
}

export const SERVICE_TABLE: Readonly<Record<ServiceName, ServiceFacts>> = TABLE;

export const SERVICES = Object.keys(TABLE) as readonly ServiceName[];

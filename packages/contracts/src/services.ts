/** Every service, in the order in which they start: whom each may call, and whether it keeps data. No two call each other. */
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
  /** A schema of its own in PostgreSQL, and with it events. */
  hasDatabase: boolean;
}

export const SERVICE_TABLE: Readonly<Record<ServiceName, ServiceFacts>> = TABLE;

export const SERVICES = Object.keys(TABLE) as readonly ServiceName[];

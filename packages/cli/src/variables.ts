import { SERVICE_TABLE, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { addressVariables, PROCESS_VARIABLES, text, type Variables } from '@drawbridge/rpc';
import * as factories from './service-factories.js';

const { members, connections, catalog, approvals, execution, triggers, mcp, gateway } = factories;

/** What all-in-one alone reads of the environment. */
const OWN = {
  DATA_DIR: text({ default: '.data', desc: 'Embedded database, generated keys, bootstrap file.' }),
};

/** Every variable of the product, once. docs/operating.md is checked against this table. */
export const VARIABLES = {
  ...gateway.variables,
  ...OWN,
  ...members.variables,
  ...connections.variables,
  ...catalog.variables,
  ...approvals.variables,
  ...execution.variables,
  ...triggers.variables,
  ...mcp.variables,
  ...PROCESS_VARIABLES,
  ...addressVariables(SERVICE_TABLE.gateway.mayCall),
};

/** Who reads a variable: services in processes of their own, or all-in-one alone. */
export function readersOf(variable: string): string[] {
  return variable in OWN ? ['all-in-one'] : SERVICES.filter((service) => variable in variablesOf(service));
}

/** What a service reads in a process of its own. */
export function variablesOf(service: ServiceName): Variables {
  const addresses = addressVariables(SERVICE_TABLE[service].mayCall);
  return { ...PROCESS_VARIABLES, ...addresses, ...factories[service].variables };
}

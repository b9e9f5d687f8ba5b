import { SERVICE_TABLE, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { addressVariables, PROCESS_VARIABLES, text, type Variables, wholeNumber } from '@drawbridge/rpc';
import * as factories from './service-factories.js';

const { members, connections, catalog, approvals, execution, triggers, mcp, gateway } = factories;

/** Variables that only the all-in-one process reads. */
const OWN = {
  DATA_DIR: text({
    default: '.data',
    desc: 'Folder of the embedded database, the generated keys and the bootstrap file.',
  }),
  WEB_CONCURRENCY: wholeNumber({ min: 1, max: 64 })({
    default: 1,
    desc: 'Number of processes that serve the port, each with every service; also `--processes`. Use at most one per core.',
  }),
};

/** Every variable of the product. A test compares docs/operating.md with this table. */
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

/** Returns the services that read a variable as separate processes, or `all-in-one` if only the all-in-one process reads it. */
export function readersOf(variable: string): string[] {
  return variable in OWN ? ['all-in-one'] : SERVICES.filter((service) => variable in variablesOf(service));
}

/** Returns the variables of a service that runs as a separate process. */
export function variablesOf(service: ServiceName): Variables {
  const addresses = addressVariables(SERVICE_TABLE[service].mayCall);
  return { ...PROCESS_VARIABLES, ...addresses, ...factories[service].variables };
}

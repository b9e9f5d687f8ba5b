import { type Bus, inboxRule, retention, subscriber, workspaceGuard, workspaceRule } from '@drawbridge/events';
import { IntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { WorkspaceIntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { expose, type Host, liveWorkspaces, type Service, type Wanted } from '@drawbridge/rpc';
import { configuredInstances } from './configured-instances.js';
import { openCatalogDatabase } from './database.js';
import { integrations } from './integrations.js';
import { invocations } from './invocations.js';
import { emptyWorkspace, forgetConnections } from './purge.js';
import { workspaceIntegrations } from './workspace-integrations.js';

const RULES = [inboxRule('catalog'), workspaceRule('catalog')];

/** What it needs of the configuration in a process of its own. */
export const wanted = { required: ['DATABASE_URL'] } satisfies Wanted;

/** What can be integrated, what each workspace made of it, and which of it a call means. */
export async function catalog({ config, network, log, bus }: Host & { bus: Bus }): Promise<Service> {
  const database = await openCatalogDatabase(config.DATABASE_URL);
  const { db, pool } = database;
  const workspaces = network.client('members', WorkspaceServiceDefinition);
  const connections = network.client('connections', ConnectionServiceDefinition);
  const requireWorkspace = liveWorkspaces(network);
  const requireWorkspaceNow = (id: string): Promise<unknown> => workspaces.getWorkspace({ id });
  const instances = configuredInstances(pool);

  const guard = workspaceGuard({ pool, schema: 'catalog', log, empty: emptyWorkspace });
  const subscribe = subscriber({ bus, pool, schema: 'catalog' });
  subscribe('members', { workspaceDeleted: guard.bury });
  subscribe('connections', { connectionDeleted: forgetConnections });
  return {
    name: 'catalog',
    rpcs: [
      expose(IntegrationServiceDefinition, integrations()),
      expose(
        WorkspaceIntegrationServiceDefinition,
        workspaceIntegrations({ db, pool, guard, workspaces, connections, instances }),
      ),
      expose(InvocationServiceDefinition, invocations({ requireWorkspace, requireWorkspaceNow, instances })),
    ],
    background: [guard, retention({ pool, log, rules: RULES })],
    ready: () => database.ready(),
    close: () => database.close(),
  };
}

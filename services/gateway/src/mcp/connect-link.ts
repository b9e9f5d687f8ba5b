import { ApiError } from '@drawbridge/contracts';
import { memoize, type Memoized, runAs } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';
import { type Agent } from './agents.js';
import { type OfferedTool } from './surface.js';

/** A link is valid for 4 hours. Calls within 10 minutes share one link. */
const KEPT = { ttlMs: 10 * 60_000, max: 1_000 };

/** Returns the path of a page on which the end user connects the account that a call lacks; undefined if the end user may not connect it. */
export type ConnectPath = (agent: Agent, tool: OfferedTool, lacking: ApiError) => Promise<string | undefined>;

type Needs = Pick<Clients, 'actions' | 'connections' | 'connectSessions'>;

export function connectPaths({ actions, connections, connectSessions }: Needs): ConnectPath {
  const own = memoize(KEPT, (_key, agent: Agent, { offer, described }: OfferedTool) =>
    asConnecting(agent, async ({ door, bearer }) => {
      const { integrationName, integrationAlias: externalId } = offer;
      const connectionName = described.integrationDisplayName;
      const whose = { workspaceId: door.workspaceId, endUserId: bearer.endUserId, scope: 'USER' };
      return (await connectSessions.createConnectToken({ integrationName, connectionName, externalId, ...whose }))
        .token;
    }),
  );
  const anew = memoize(KEPT, (_key, agent: Agent, id: string) =>
    asConnecting(agent, async ({ door, bearer }) => {
      const { scope, endUserId } = await connections.getConnection({ id });
      if (scope !== 'USER' || endUserId !== bearer.endUserId) return undefined;
      return (await connectSessions.createReconnectToken({ id, workspaceId: door.workspaceId })).token;
    }),
  );

  const open = stillOpen(connectSessions);

  return async (agent, tool, { details: { reason, connectionId } }) => {
    const { endUserId, endUserRecordId } = agent.bearer;
    if (endUserId === undefined || tool.offer.connectionId !== undefined) return undefined;
    const key = [agent.door.serverId, endUserRecordId, tool.offer.integrationAlias].join(' ');
    if (reason === 'error' && typeof connectionId === 'string')
      return toPath(await open(anew, `${key} ${connectionId}`, agent, connectionId));
    if (reason !== 'not_connected' || !(await isPerUser(actions, agent, tool))) return undefined;
    return toPath(await open(own, key, agent, tool));
  };
}

type StillOpen = <About extends unknown[]>(
  ask: Memoized<string | undefined, About>,
  key: string,
  ...about: About
) => Promise<string | undefined>;

/** Returns the cached token, or a new one if its session is completed, failed or no longer exists. */
function stillOpen(connectSessions: Needs['connectSessions']): StillOpen {
  const isOpen = (token: string): Promise<boolean> =>
    connectSessions.pollConnectSession({ token }).then(
      ({ status }) => status !== 'COMPLETED' && status !== 'FAILED',
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'INVALID_TOKEN') return false;
        throw error;
      },
    );
  return async (ask, key, ...about) => {
    const token = await ask(key, ...about);
    if (token === undefined || (await isOpen(token))) return token;
    ask.forget(key);
    return ask(key, ...about);
  };
}

const toPath = (token: string | undefined): string | undefined => token && `/connect?token=${token}`;

/** Returns whether the tool would use an account that the end user connects; with a fixed connection it would not. */
async function isPerUser(actions: Clients['actions'], agent: Agent, { offer }: OfferedTool): Promise<boolean> {
  const { integrationName, actionName, workspaceIntegrationId } = offer;
  const { workspaceId } = agent.door;
  const { endUserId } = agent.bearer;
  const asked = { integrationName, actionName, workspaceIntegrationId, workspaceId, endUserId };
  const { instance } = await actions.explainAction(asked);
  return instance === undefined || instance.connectionStrategy !== 'fixed';
}

/** Runs `work` with permission to create connections, which an agent does not have: a person uses the resulting page, for this end user only. */
function asConnecting<T>(agent: Agent, work: (agent: Agent) => Promise<T>): Promise<T> {
  const permissions = { ...agent.caller.permissions, grants: ['connections.write'] };
  return runAs({ caller: { ...agent.caller, permissions } }, () => work(agent));
}

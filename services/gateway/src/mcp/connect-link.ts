import { type ApiError } from '@drawbridge/contracts';
import { memoize, runAs } from '@drawbridge/rpc';
import { type Clients, unless } from '../clients.js';
import { type Agent } from './agents.js';
import { type OfferedTool } from './tool-list.js';

/** Calls within 10 minutes share one link. A link is valid for 4 hours. */
const KEPT = { ttlMs: 10 * 60_000, max: 1_000 };

/** Returns the path of a page on which the end user connects the missing account, or undefined if the end user may not connect it. */
export type ConnectPath = (agent: Agent, tool: OfferedTool, lacking: ApiError) => Promise<string | undefined>;

type Needs = Pick<Clients, 'actions' | 'connections' | 'connectSessions'>;

export function connectPaths({ actions, connections, connectSessions }: Needs): ConnectPath {
  const tokens = memoize(KEPT, (_key, create: CreateToken) => create());
  const isOpen = async (token: string): Promise<boolean> => {
    const session = await connectSessions.pollConnectSession({ token }).catch(unless('INVALID_TOKEN'));
    return session !== undefined && session.status !== 'COMPLETED' && session.status !== 'FAILED';
  };
  /** Returns the cached token, or a new token if its session is completed, failed or no longer exists. */
  const open = async (key: string, create: CreateToken): Promise<string | undefined> => {
    const token = await tokens(key, create);
    if (token === undefined || (await isOpen(token))) return token;
    tokens.forget(key);
    return tokens(key, create);
  };

  return async (agent, tool, { details: { reason, connectionId } }) => {
    const { endUserId, endUserRecordId } = agent.bearer;
    if (endUserId === undefined || tool.offer.connectionId !== undefined) return undefined;
    const key = [agent.door.serverId, endUserRecordId, tool.offer.integrationAlias];
    if (reason === 'error' && typeof connectionId === 'string')
      return toPath(await open(JSON.stringify([...key, connectionId]), () => reconnectToken(agent, connectionId)));
    if (reason !== 'not_connected' || !(await isPerUser(actions, agent, tool))) return undefined;
    return toPath(await open(JSON.stringify(key), () => connectToken(agent, tool)));
  };

  function connectToken(agent: Agent, { offer, described }: OfferedTool): Promise<string> {
    const { integrationName, integrationAlias: externalId } = offer;
    const connectionName = described.integrationDisplayName;
    const owned = { workspaceId: agent.door.workspaceId, endUserId: agent.bearer.endUserId, scope: 'USER' };
    const asked = { integrationName, connectionName, externalId, ...owned };
    return asConnecting(agent, async () => (await connectSessions.createConnectToken(asked)).token);
  }

  function reconnectToken(agent: Agent, id: string): Promise<string | undefined> {
    return asConnecting(agent, async () => {
      const { scope, endUserId } = await connections.getConnection({ id });
      if (scope !== 'USER' || endUserId !== agent.bearer.endUserId) return undefined;
      return (await connectSessions.createReconnectToken({ id, workspaceId: agent.door.workspaceId })).token;
    });
  }
}

type CreateToken = () => Promise<string | undefined>;

const toPath = (token: string | undefined): string | undefined => token && `/connect?token=${token}`;

/** Returns whether the tool would use an account that the end user connects. A tool with a fixed connection would not. */
async function isPerUser(actions: Clients['actions'], agent: Agent, { offer }: OfferedTool): Promise<boolean> {
  const { integrationName, actionName, workspaceIntegrationId } = offer;
  const { workspaceId } = agent.door;
  const { endUserId } = agent.bearer;
  const asked = { integrationName, actionName, workspaceIntegrationId, workspaceId, endUserId };
  const { instance } = await actions.explainAction(asked);
  return instance === undefined || instance.connectionStrategy !== 'fixed';
}

/**
 * Runs `work` with permission to create connections, which an agent does not have. This gives the agent no access: the end user enters the credential
 * on the resulting page, and the connection belongs to this end user only.
 */
function asConnecting<T>(agent: Agent, work: () => Promise<T>): Promise<T> {
  const permissions = { ...agent.caller.permissions, grants: ['connections.write'] };
  return runAs({ caller: { ...agent.caller, permissions } }, work);
}

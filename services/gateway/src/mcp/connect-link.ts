import { ApiError } from '@drawbridge/contracts';
import { memoize, type Memoized, runAs } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';
import { type Agent } from './agents.js';
import { type OfferedTool } from './surface.js';

/** A link works for 4 hours; whoever calls again and again gets the same one. */
const KEPT = { ttlMs: 10 * 60_000, max: 1_000 };

/** The path of a page on which the end user of an agent connects what a call lacked; undefined where that is not theirs to do. */
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

/** What was completed or denied leads nowhere any more, and nor does that of somebody who is gone: it is asked for anew. */
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

/** Only then would what they connect be used. */
async function isPerUser(actions: Clients['actions'], agent: Agent, { offer }: OfferedTool): Promise<boolean> {
  const { integrationName, actionName, workspaceIntegrationId } = offer;
  const { workspaceId } = agent.door;
  const { endUserId } = agent.bearer;
  const asked = { integrationName, actionName, workspaceIntegrationId, workspaceId, endUserId };
  const { instance } = await actions.explainAction(asked);
  return instance === undefined || instance.connectionStrategy !== 'fixed';
}

/** An agent may not make connections: the page that it is given the address of lets a person do it, for this end user alone. */
function asConnecting<T>(agent: Agent, work: (agent: Agent) => Promise<T>): Promise<T> {
  const permissions = { ...agent.caller.permissions, grants: ['connections.write'] };
  return runAs({ caller: { ...agent.caller, permissions } }, () => work(agent));
}

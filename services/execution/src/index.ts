import { createEgress, type Egress, parseAllowList, parseOriginMap } from '@drawbridge/egress';
import { type Bus, outboxRelay, retention, subscriber, topicOf, workspaceGuard } from '@drawbridge/events';
import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { ActionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { ExecutionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import {
  type Config,
  expose,
  type Host,
  liveWorkspaces,
  type Logger,
  type Service,
  type Wanted,
} from '@drawbridge/rpc';
import { looks } from './claims/claims.js';
import { openExecutionDatabase } from './database.js';
import { actions } from './pipeline/execute.js';
import { executions } from './run-log/executions.js';
import { leases } from './claims/lease.js';
import { emptyWorkspace } from './purge-workspaces.js';
import { replays } from './large-answers/replays.js';
import { redactors } from './redaction/redactors.js';
import { retentionRules } from './retention-rules.js';
import { runsUnderWay } from './pipeline/runs-under-way.js';
import { senders } from './running/senders.js';
import { sweeper } from './claims/sweeper.js';
import { Unstored } from './run-log/unstored.js';

/** What it needs of the configuration in a process of its own. */
export const wanted = {
  required: ['DATABASE_URL'],
  checks: { ORIGIN_MAP: parseOriginMap, EGRESS_ALLOW: parseAllowList },
} satisfies Wanted;

/** The pipeline that every action passes, and the log of its runs. */
export async function execution({ config, network, log, bus }: Host & { bus: Bus }): Promise<Service> {
  const database = await openExecutionDatabase(config.DATABASE_URL);
  const { db, pool } = database;
  const egress = openEgress(config, log);
  const requireWorkspace = liveWorkspaces(network);
  const relay = outboxRelay({ pool, schema: 'execution', topic: topicOf('execution'), bus, log });
  const guard = workspaceGuard({ pool, schema: 'execution', log, empty: emptyWorkspace });
  const rules = retentionRules(config.RUN_LOG_DAYS);
  subscriber({ bus, pool, schema: 'execution' })('members', { workspaceDeleted: guard.bury });
  const [underWay, elsewhere, held] = [runsUnderWay(), replays(), leases(pool)];
  const sweep = sweeper({ pool, leases: held, log });
  const pipeline = {
    pool,
    leases: held,
    looks: looks(pool, held),
    senderFor: senders(egress),
    redactorFor: redactors(),
    replays: elsewhere,
    unstored: new Unstored(),
    log,
    invocations: network.client('catalog', InvocationServiceDefinition),
    vault: network.client('connections', VaultServiceDefinition),
    requireWorkspace,
    onRecorded: () => relay.wake(),
    track: underWay.track,
  };
  return {
    name: 'execution',
    rpcs: [
      expose(ActionServiceDefinition, actions(pipeline)),
      expose(ExecutionServiceDefinition, executions(db, requireWorkspace)),
    ],
    background: [relay, guard, retention({ pool, log, rules }), sweep, elsewhere, underWay],
    ready: () => database.ready(),
    close: async () => {
      // A request that outlived the drain ends with the process: the outcome of its run is unknown, and says so later.
      void egress.close();
      await database.close();
    },
  };
}

function openEgress({ ORIGIN_MAP, EGRESS_ALLOW }: Config, log: Logger): Egress {
  const originMap = parseOriginMap(ORIGIN_MAP);
  for (const [origin, target] of Object.entries(originMap)) log.info({ origin, target }, 'origin mapped');
  return createEgress({ originMap, allow: parseAllowList(EGRESS_ALLOW) });
}

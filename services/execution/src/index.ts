import { join } from 'node:path';
import { configuredEgress, type Egress, parseOriginMap } from '@drawbridge/egress';
import { addPieces } from '@drawbridge/pieces';
import { GateServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { DataKeyServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/data_keys';
import { VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { ActionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { CodeRunServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { ExecutionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { PropertyServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/properties';
import { TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { ActionLeaseServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { type Config, expose, liveWorkspaces, type Logger, type Metric, slotMetric } from '@drawbridge/rpc';
import { defineService } from '@drawbridge/service';
import { type Pool } from 'pg';
import { claimPoller } from './claims/claims.js';
import { claimSettler, claimTaker } from './claims/write-claims.js';
import { analyzer } from './code-runs/analyzer.js';
import { codeRuns } from './code-runs/code-runs.js';
import { PrismaClient } from './gen/prisma/client.js';
import { actions } from './pipeline/execute.js';
import { redactors } from './pipeline/connection.js';
import { policyGate } from './pipeline/policy-gate.js';
import { actionQuota, sandboxQuota } from './quota/action-quota.js';
import { outputRedactor } from './redaction/redact-off-thread.js';
import { executions } from './run-log/executions.js';
import { previewer } from './run-log/previewer.js';
import { leases } from './claims/idempotency-key.js';
import { properties } from './properties/properties.js';
import { emptyWorkspace, retentionRules } from './retention.js';
import { runRecorder } from './run-log/record.js';
import { RunsUnderWay } from './run-log/store-answer.js';
import { senders } from './pipeline/run-opened.js';
import { forgetEndUsers, statePurge } from './state/purge-state.js';
import { codeRunners } from './running/code-runner.js';
import { containerRunners } from './running/container-runner.js';
import { stateOpener } from './state/open-state.js';
import { sweeper } from './claims/sweeper.js';
import { triggerHooks } from './triggers/trigger-hooks.js';
import { VARIABLES } from './variables.js';
import { newProcess, newThread } from './workers/worker.js';
import { jobPool } from './workers/job-pool.js';

/**
 * Maximum number of worker threads. Only a few compute at the same time, but a run with a large response occupies its thread while it waits for the
 * provider, unless another run needs the thread.
 */
const MOST_THREADS = 12;
const MOST_PROCESSES = 4;

/** The service that executes actions and stores the run log. */
export const execution = defineService({
  name: 'execution',
  variables: VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
  },
  emptyWorkspace,
  async assemble({ config, network, log, db, pool, outbox }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const [egress, requireWorkspace] = [openEgress(config, log), liveWorkspaces(network)];
    const [runs, held] = [new RunsUnderWay(), leases(pool)];
    const pools = openPools({ config, pool, log });
    const members = network.client('members', ActionLeaseServiceDefinition);
    const quotas = { actionQuota: actionQuota(members, log), sandboxQuota: sandboxQuota(members, log) };
    const purges = [sweeper({ pool, leases: held, log }), statePurge(pool, log)];
    const pipeline = {
      ...{ pool, runs, log, requireWorkspace },
      leases: held,
      claimPoller: claimPoller(pool, held),
      ...{ takeClaim: claimTaker(pool), settleClaim: claimSettler(pool) },
      ...quotas,
      senderFor: senders(egress),
      redactorFor: redactors(),
      ...pools,
      openState: stateOpener(pool),
      invocations: network.client('catalog', InvocationServiceDefinition),
      vault: network.client('connections', VaultServiceDefinition),
      policies: policyGate(network.client('approvals', GateServiceDefinition)),
      recordRun: runRecorder(pool),
      onRecorded: outbox.wake,
    };
    const dataKeys = network.client('connections', DataKeyServiceDefinition);
    return {
      rpcs: [
        expose(ActionServiceDefinition, actions(pipeline)),
        expose(CodeRunServiceDefinition, codeRuns({ ...pools, pipeline, dataKeys })),
        expose(ExecutionServiceDefinition, executions(db, requireWorkspace)),
        expose(PropertyServiceDefinition, properties(pipeline)),
        expose(TriggerHookServiceDefinition, triggerHooks(pipeline)),
      ],
      background: [...purges, ...Object.values({ ...pools, ...quotas }), runs],
      metrics: slotMetrics({ egress, ...pools }),
      consumers: { endUserDeleted: forgetEndUsers },
      expiring: retentionRules(config.RUN_LOG_DAYS),
      // Active requests are not awaited after the drain. They end with the process, and their runs are later recorded as OUTCOME_UNKNOWN.
      close: () => (void egress.close(), pools.containers.close()),
    };
  },
});

/** The pools in which a run can wait for a slot. */
const POOLS = ['egress', 'threads', 'processes', 'code', 'containers'] as const;

const slotMetrics = (pools: Record<(typeof POOLS)[number], Pick<Egress, 'load'>>): Metric[] =>
  POOLS.map((pool) => slotMetric({ service: 'execution', pool }, pools[pool].load));

/** Opens the pools of threads, processes and containers for work that would block the event loop. */
function openPools(needs: { config: Config<typeof VARIABLES>; pool: Pool; log: Logger }) {
  const { INTEGRATIONS_DIR } = needs.config;
  return {
    previewer: previewer(),
    analyzer: analyzer(),
    outputs: outputRedactor(),
    threads: jobPool(() => newThread(INTEGRATIONS_DIR), MOST_THREADS),
    processes: jobPool(() => newProcess(INTEGRATIONS_DIR), MOST_PROCESSES),
    code: codeRunners(),
    containers: containerRunners(needs),
  };
}

function openEgress(config: Config<typeof VARIABLES>, log: Logger): Egress {
  const origins = Object.entries(parseOriginMap(config.ORIGIN_MAP));
  for (const [origin, target] of origins) log.info({ origin, target }, 'origin mapped');
  return configuredEgress(config);
}

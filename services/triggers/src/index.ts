import { join } from 'node:path';
import { configuredEgress, type Egress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { configuredMail, MAIL_VARIABLES } from '@drawbridge/mail';
import { addPieces } from '@drawbridge/pieces';
import { AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { TriggerDeliveryServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { HookServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/hooks';
import { TriggerServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { expose, gatewayUrl, lookUpWorkspace, type Metric, type Network, slotMetric } from '@drawbridge/rpc';
import { defineService, PIECES_VARIABLES } from '@drawbridge/service';
import { triggerDeliveries } from './callbacks/deliveries.js';
import { disableOfConnections, disableOfEndUsers, wakeOfConnections } from './sources/connection-events.js';
import { PrismaClient } from './gen/prisma/client.js';
import { addresses } from './intake/addresses.js';
import { hooks } from './intake/receive-webhook.js';
import { noticeDisabled, tellOwner } from './mails/disabled-mail.js';
import { matchReceived } from './matching/match-received.js';
import { planLimits } from './plan-limits.js';
import { poller, pollMetrics } from './polling/poller.js';
import { pollSource } from './polling/poll.js';
import { triggersQueue } from './queue.js';
import { emptyWorkspace, OLD_DELIVERIES, OLD_EVENTS, OLD_INBOUND } from './retention.js';
import { renewTask } from './renewals/renew.js';
import { scheduler } from './schedule/scheduler.js';
import { openedSecrets } from './secrets/source-secrets.js';
import { triggerSources } from './sources/sources.js';
import { unregisterTask } from './sources/unregister-source.js';
import { deliveryMetrics } from './backlog/backlog-metrics.js';
import { backlogLimit } from './backlog/backlog-limit.js';
import { resuming } from './suspension/resume.js';
import { workspaceStates } from './suspension/workspace-states.js';

/** The environment variables of the triggers service. */
const VARIABLES = { ...EGRESS_VARIABLES, ...MAIL_VARIABLES, ...PIECES_VARIABLES };

/** The service that receives events from providers and delivers them to callbacks. */
export const triggers = defineService({
  name: 'triggers',
  variables: VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [{ name: 'sources', isSuspendable: true }],
  },
  emptyWorkspace,
  async assemble({ config, network, log, db, pool, guard, outbox }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const [egress, mail] = [configuredEgress(config), configuredMail(config)];
    const { vault, apps, invocations, triggerHooks, states, limits, requireWorkspaceNow, ...directories } =
      others(network);
    const { findMinimum, findMost } = limits;
    const secrets = openedSecrets(vault);
    const backlog = backlogLimit({ pool, log });
    const parts = { db, pool, log, states, vault, hooks: triggerHooks };
    const { enqueue, enqueueAsked, enqueueMail, enqueueDue, background, metrics } = triggersQueue(
      { pool, log, egress, secrets, states, wake: outbox.wake, findMost },
      { tellOwner: tellOwner({ ...directories, mail }), renew: renewTask(parts), unregister: unregisterTask(parts) },
    );
    const find = addresses({ ...parts, secrets, apps, gatewayUrl: gatewayUrl(config) });
    const enabling = { ...parts, guard, outbox, egress, invocations, findMinimum, requireWorkspaceNow, enqueue };
    return {
      rpcs: [
        expose(TriggerServiceDefinition, triggerSources(enabling)),
        expose(HookServiceDefinition, hooks({ find, states, backlog, wake: outbox.wake })),
        expose(TriggerDeliveryServiceDefinition, triggerDeliveries({ db, outbox, enqueueAsked, requireWorkspaceNow })),
      ],
      consumers: {
        triggerReceived: matchReceived({ enqueue, backlog, log }),
        connectionDeleted: disableOfConnections,
        endUserDeleted: disableOfEndUsers,
        connectionReconnected: wakeOfConnections,
        ...(mail && { triggerDisabled: noticeDisabled(enqueueMail) }),
      },
      background: [
        ...background,
        scheduler({ pool, log, enqueue: enqueueDue }),
        poller({ pool, log, poll: pollSource({ ...parts, backlog, enqueue, findMinimum }) }),
        resuming({ pool, log, states, enqueue }),
      ],
      metrics: [...metrics, ...deliveryMetrics(pool, backlog), ...pollMetrics(pool), slotsOf(egress)],
      expiring: [OLD_INBOUND, OLD_EVENTS, OLD_DELIVERIES],
      close: () => egress.close(),
    };
  },
});

const slotsOf = ({ load }: Egress): Metric => slotMetric({ service: 'triggers', pool: 'egress' }, load);

/** Returns clients for the services that this service calls. */
function others(network: Network) {
  return {
    vault: network.client('connections', SourceSecretServiceDefinition),
    apps: network.client('connections', AppSecretServiceDefinition),
    members: network.client('members', MemberServiceDefinition),
    organizations: network.client('members', OrganizationServiceDefinition),
    invocations: network.client('catalog', InvocationServiceDefinition),
    triggerHooks: network.client('execution', TriggerHookServiceDefinition),
    states: workspaceStates(network),
    limits: planLimits(network),
    requireWorkspaceNow: lookUpWorkspace(network),
  };
}

import { join } from 'node:path';
import { configuredEgress } from '@drawbridge/egress';
import { configuredMail } from '@drawbridge/mail';
import { addPieces } from '@drawbridge/pieces';
import { AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { TriggerDeliveryServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { HookServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/hooks';
import { TriggerServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { expose, lookUpWorkspace } from '@drawbridge/rpc';
import { defineService } from '@drawbridge/service';
import { triggerDeliveries } from './callbacks/deliveries.js';
import { disableOfConnections, disableOfEndUsers } from './sources/disable-forgotten.js';
import { PrismaClient } from './gen/prisma/client.js';
import { addresses } from './intake/addresses.js';
import { hooks } from './intake/hooks.js';
import { noticeDisabled, tellOwner } from './mails/tell-owner.js';
import { matchReceived } from './matching/match-received.js';
import { emptyWorkspace } from './purge.js';
import { planLimits } from './plan-limits.js';
import { pollMetrics } from './polling/poll-metrics.js';
import { poller } from './polling/poller.js';
import { pollSource } from './polling/poll.js';
import { triggersQueue } from './queue.js';
import { OLD_DELIVERIES, OLD_EVENTS, OLD_INBOUND } from './retention-rules.js';
import { dueTasks } from './schedule/due-tasks.js';
import { scheduler } from './schedule/scheduler.js';
import { openedSecrets } from './secrets/opened-secrets.js';
import { sourceRpcs } from './sources/source-rpcs.js';
import { wakeOfConnections } from './sources/wake-reconnected.js';
import { deliveryMetrics } from './room/delivery-metrics.js';
import { room } from './room/room.js';
import { resuming } from './suspension/let-go.js';
import { workspaceStates } from './suspension/workspace-states.js';
import { VARIABLES } from './variables.js';

/** Receives events from providers and delivers them to callbacks. */
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
    const egress = configuredEgress(config);
    const { wake } = outbox;
    const secrets = openedSecrets(network.client('connections', SourceSecretServiceDefinition));
    const apps = network.client('connections', AppSecretServiceDefinition);
    const states = workspaceStates(network);
    const waiting = room({ pool, log });
    const { findMinimum, findMost } = planLimits(network);
    const members = network.client('members', MemberServiceDefinition);
    const mail = configuredMail(config);
    const { enqueue, enqueueAsked, enqueueMail, enqueueDue, background } = triggersQueue(
      { pool, log, egress, secrets, states, wake, findMost },
      { tellOwner: tellOwner({ members, mail }), ...dueTasks({ db, pool, log, network, states }) },
    );
    const hooksOfSources = network.client('execution', TriggerHookServiceDefinition);
    const poll = pollSource({ db, pool, log, states, room: waiting, enqueue, findMinimum, hooks: hooksOfSources });
    const letGo = resuming({ pool, log, states, enqueue });
    return {
      rpcs: [
        expose(TriggerServiceDefinition, sourceRpcs({ network, db, guard, outbox, log, egress, enqueue })),
        expose(HookServiceDefinition, hooks({ find: addresses({ pool, secrets, apps }), states, room: waiting, wake })),
        expose(
          TriggerDeliveryServiceDefinition,
          triggerDeliveries({ db, outbox, enqueueAsked, requireWorkspaceNow: lookUpWorkspace(network) }),
        ),
      ],
      consumers: {
        triggerReceived: matchReceived({ enqueue, room: waiting, log }),
        connectionDeleted: disableOfConnections,
        endUserDeleted: disableOfEndUsers,
        connectionReconnected: wakeOfConnections,
        ...(mail && { triggerDisabled: noticeDisabled(enqueueMail) }),
      },
      background: [...background, scheduler({ pool, log, enqueue: enqueueDue }), poller({ pool, log, poll }), letGo],
      metrics: [...deliveryMetrics(pool, waiting), ...pollMetrics(pool)],
      expiring: [OLD_INBOUND, OLD_EVENTS, OLD_DELIVERIES],
      close: () => egress.close(),
    };
  },
});

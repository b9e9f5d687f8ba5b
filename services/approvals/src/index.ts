import { join } from 'node:path';
import { configuredEgress } from '@drawbridge/egress';
import { deleteOfWorkspace, purgeBySteps } from '@drawbridge/events';
import { oldDeliveries } from '@drawbridge/jobs';
import { configuredMail } from '@drawbridge/mail';
import { addPieces } from '@drawbridge/pieces';
import { GateServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { ApprovalPageServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { PolicyServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/policies';
import { ApprovalServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { WebhookSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller, expose, gatewayUrl, liveWorkspaces, lookUpWorkspace, slotMetric } from '@drawbridge/rpc';
import { defineService } from '@drawbridge/service';
import { gate } from './gate/gate.js';
import { PrismaClient } from './gen/prisma/client.js';
import { OLD_MAILS } from './mails/ask-people.js';
import { modelOf, OLD_VERDICTS } from './model/risk-model.js';
import { evaluator } from './policies/evaluator.js';
import { policies } from './policies/policies.js';
import { policyCheck } from './policies/policy-problems.js';
import { knownPolicies } from './policies/stored-policies.js';
import { linkKeeper } from './requests/approval-links.js';
import { approvalPages } from './requests/approval-pages.js';
import { approvalRequests } from './requests/approvals.js';
import {
  cancelOfCodeRuns,
  cancelOfEndUsers,
  ENDED_REQUESTS,
  expirySweeper,
  pendingMetrics,
} from './requests/expiry.js';
import { telling } from './notify-approvers.js';
import { modelSettings, VARIABLES } from './variables.js';

/** The service that stores approval policies and evaluates them, and that stores approval requests and their decisions. */
export const approvals = defineService({
  name: 'approvals',
  variables: VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [{ name: 'approval_policies' }],
  },
  emptyWorkspace: purgeBySteps(
    deleteOfWorkspace('approvals.approval_policies'),
    deleteOfWorkspace('approvals.approval_requests'),
    deleteOfWorkspace('approvals.webhook_deliveries'),
  ),
  async assemble({ config, network, log, db, pool, guard, outbox }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const settings = modelSettings(config);
    const egress = configuredEgress(config);
    const members = network.client('members', MemberServiceDefinition);
    const organizations = network.client('members', OrganizationServiceDefinition);
    const [known, evaluating] = [knownPolicies(db), evaluator()];
    const askModel = modelOf(settings, () => egress.sendFor(caller().orgId));
    const [requireWorkspaceNow, requireWorkspace] = [lookUpWorkspace(network), liveWorkspaces(network)];
    const requirePolicy = policyCheck({ egress, members });
    const links = linkKeeper(config.INTERNAL_KEY);
    const vault = network.client('connections', WebhookSecretServiceDefinition);
    const endUsers = network.client('connections', EndUserServiceDefinition);
    const mail = configuredMail(config);
    const directories = { members, organizations, endUsers };
    const told = telling({ db, pool, log, egress, vault, ...directories, links, mail, baseUrl: gatewayUrl(config) });
    const requests = { db, pool, guard, outbox, members, links, enqueue: told.enqueue, requireWorkspace };
    return {
      rpcs: [
        expose(
          PolicyServiceDefinition,
          policies({ db, guard, outbox, known, evaluator: evaluating, askModel, requireWorkspaceNow, requirePolicy }),
        ),
        expose(ApprovalServiceDefinition, approvalRequests(requests)),
        expose(ApprovalPageServiceDefinition, approvalPages({ ...requests, endUsers })),
        expose(GateServiceDefinition, gate({ ...requests, known, evaluator: evaluating, askModel })),
      ],
      consumers: { ...told.consumers, endUserDeleted: cancelOfEndUsers, codeRunEnded: cancelOfCodeRuns },
      background: [told.background, expirySweeper(pool, log, outbox.wake), evaluating],
      metrics: [
        ...told.metrics,
        ...pendingMetrics(pool),
        slotMetric({ service: 'approvals', pool: 'egress' }, egress.load),
      ],
      expiring: [ENDED_REQUESTS, oldDeliveries('approvals.webhook_deliveries'), OLD_MAILS, OLD_VERDICTS],
      close: () => egress.close(),
    };
  },
});

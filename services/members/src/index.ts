import { join } from 'node:path';
import { configuredEgress } from '@drawbridge/egress';
import { configuredMail } from '@drawbridge/mail';
import { AccountServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import { ActionLeaseServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import {
  ApiKeyServiceDefinition,
  KeyVerificationServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { AuditLogServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { InvitationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/invitations';
import { MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { SessionServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { SignInLinkServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_links';
import { SignInProviderServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_providers';
import { SignUpServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { WorkspaceMemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspace_members';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { expose, type Service } from '@drawbridge/rpc';
import { type RetentionRule } from '@drawbridge/events';
import { type Parts } from './parts.js';
import { defineService, planFit } from '@drawbridge/service';
import { apiKeys } from './api-keys.js';
import { auditLog } from './audit/audit-log.js';
import { consumers } from './consumers.js';
import { bootstrap, findFirstKeyHash } from './create-organization.js';
import { PrismaClient } from './gen/prisma/client.js';
import { invitations } from './invitations.js';
import { keyVerification, lastUsed } from './key-verification.js';
import { mails } from './mails.js';
import { organizationMembers } from './organization-members.js';
import { organizations } from './organizations.js';
import { readPlans } from './plans.js';
import { account } from './sign-in/account.js';
import { askedLinks, attempts } from './sign-in/attempts.js';
import { lazyAuth } from './sign-in/auth.js';
import { links } from './sign-in/links.js';
import { parseOidcProviders } from './sign-in/oidc-providers.js';
import { signInProviders } from './sign-in/providers.js';
import { sessions } from './sign-in/sessions.js';
import { signUp } from './sign-in/sign-up.js';
import { actionLeases } from './usage.js';
import { VARIABLES } from './variables.js';
import { workspaceMembers } from './workspace-members.js';
import { workspaces } from './workspaces.js';

/** Stores organizations, workspaces, users and API keys, authenticates callers and determines their permissions. */
export const members = defineService({
  name: 'members',
  variables: VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: ['Organization', 'User', 'Account', 'Session', 'Verification', 'Attempt'],
    counted: [{ name: 'workspaces', isSuspendable: true }, { name: 'members' }, { name: 'api_keys' }],
  },
  async assemble({ config, db, unscoped, pool, outbox, log }) {
    const plans = readPlans(config.PLANS_FILE);
    await bootstrap({ unscoped, pool }, plans, config.BOOTSTRAP_API_KEY);
    const mail = configuredMail(config);
    const egress = configuredEgress(config);
    const parts: Parts = {
      ...{ db, unscoped, pool, outbox, log, plans },
      mails: mail && mails({ db, pool, log, ...mail }),
      auth: lazyAuth(unscoped),
      attempts: attempts(pool),
      askedLinks: askedLinks(pool),
      providers: parseOidcProviders(config.OIDC_PROVIDERS),
      baseUrl: config.BASE_URL,
      send: egress.sendFor('sign-in'),
    };
    const used = lastUsed(parts);
    const keys = keyVerification(parts, await findFirstKeyHash(unscoped), used.note);
    const fit = planFit({ pool, service: 'members', table: 'workspaces', log });
    const ofWorkspaces = workspaces(parts);
    return {
      rpcs: [
        ...rpcsOf(parts),
        expose(KeyVerificationServiceDefinition, keys),
        expose(WorkspaceServiceDefinition, ofWorkspaces),
      ],
      findWorkspace: (id) => ofWorkspaces.getWorkspace({ id }),
      consumers: { ...consumers, planChanged: fit.note },
      background: [used, fit, ...(parts.mails ? [parts.mails] : [])],
      expiring: EXPIRING,
      close: () => egress.close(),
    };
  },
});

const rpcsOf = (parts: Parts): Service['rpcs'] => [
  expose(OrganizationServiceDefinition, organizations(parts)),
  expose(MemberServiceDefinition, organizationMembers(parts)),
  expose(InvitationServiceDefinition, invitations(parts)),
  expose(WorkspaceMemberServiceDefinition, workspaceMembers(parts)),
  expose(ApiKeyServiceDefinition, apiKeys(parts)),
  expose(AuditLogServiceDefinition, auditLog(parts)),
  expose(ActionLeaseServiceDefinition, actionLeases(parts)),
  expose(SessionServiceDefinition, sessions(parts)),
  expose(SignInLinkServiceDefinition, links(parts)),
  expose(SignInProviderServiceDefinition, signInProviders(parts)),
  expose(AccountServiceDefinition, account(parts)),
  expose(SignUpServiceDefinition, signUp(parts)),
];

const EXPIRED = { key: 'id', oldest: 'expires_at', expired: 'expires_at < now()' };

const EXPIRING: RetentionRule[] = [
  { ...EXPIRED, table: 'members.sessions' },
  { ...EXPIRED, table: 'members.verifications' },
  // Accepting an expired invitation returns EXPIRED for 30 days, then NOT_FOUND.
  { ...EXPIRED, table: 'members.invitations', expired: "expires_at < now() - interval '30 days'" },
  // A lease reserves a part of the monthly quota for one process. Its row is needed for one more day, because events may be counted against it late.
  { table: 'members.action_leases', key: 'id', oldest: 'until', expired: "until < now() - interval '1 day'" },
  {
    table: 'members.attempts',
    key: 'key',
    oldest: 'expire',
    // Casts to the type of the column, because PostgreSQL would not use the index for another type.
    expired: 'expire < (extract(epoch FROM now()) * 1000)::bigint',
  },
];

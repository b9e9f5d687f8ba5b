import { join } from 'node:path';
import { ActionLeaseServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import {
  ApiKeyServiceDefinition,
  KeyVerificationServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { AuditLogServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { InvitationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/invitations';
import { MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { AccountServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import { SessionServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { SignUpServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { configuredEgress } from '@drawbridge/egress';
import { configuredMail } from '@drawbridge/mail';
import { SignInProviderServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_providers';
import { SignInLinkServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_links';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { WorkspaceMemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspace_members';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { type Config, expose } from '@drawbridge/rpc';
import { defineService, planFit } from '@drawbridge/service';
import { actionLeases } from './action-leases.js';
import { apiKeys } from './api-keys.js';
import { auditLog } from './audit/audit-log.js';
import { refusedKeys } from './audit/refused-keys.js';
import { bootstrap, findFirstKeyHash } from './bootstrap.js';
import { consumers } from './consumers.js';
import { PrismaClient } from './gen/prisma/client.js';
import { invitations, OLD_INVITATIONS } from './invitations.js';
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
import { RETENTION } from './sign-in/retention.js';
import { sessions } from './sign-in/sessions.js';
import { signUp } from './sign-in/sign-up.js';
import { ENDED_LEASES } from './usage.js';
import { VARIABLES } from './variables.js';
import { workspaceMembers } from './workspace-members.js';
import { workspaces } from './workspaces.js';

/** Organizations, workspaces, users and API keys: authenticates callers and defines what they may do. */
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
    const firstKeyHash = await findFirstKeyHash(unscoped);
    const used = lastUsed({ pool, log });
    const ofKeys = { onUse: used.note, onRefused: refusedKeys({ pool, log }) };
    const fit = planFit({ pool, service: 'members', table: 'workspaces', log });
    const ofWorkspaces = workspaces(db, outbox, plans);
    const mail = configuredMail(config);
    const outgoing = mail && mails({ db, pool, log, ...mail });
    const counts = { attempts: attempts(pool), askedLinks: askedLinks(pool) };
    const ways = { auth: lazyAuth(unscoped), ...counts, mailLink: outgoing?.mailLink };
    const people = { ...ways, db, unscoped, pool, plans, outbox };
    const elsewhere = openProviders(config);
    return {
      rpcs: [
        expose(OrganizationServiceDefinition, organizations(db, outbox, plans)),
        expose(WorkspaceServiceDefinition, ofWorkspaces),
        expose(MemberServiceDefinition, organizationMembers(db, outbox)),
        expose(InvitationServiceDefinition, invitations({ db, unscoped, plans, outbox, announce: outgoing?.announce })),
        expose(WorkspaceMemberServiceDefinition, workspaceMembers(db, outbox)),
        expose(ApiKeyServiceDefinition, apiKeys(db, outbox)),
        expose(AuditLogServiceDefinition, auditLog(pool)),
        expose(ActionLeaseServiceDefinition, actionLeases(db, pool, plans)),
        expose(KeyVerificationServiceDefinition, keyVerification({ pool, plans, firstKeyHash, ...ofKeys })),
        expose(SessionServiceDefinition, sessions({ ...people, ...elsewhere })),
        expose(SignInLinkServiceDefinition, links(people)),
        expose(SignInProviderServiceDefinition, signInProviders({ ...people, ...elsewhere })),
        expose(AccountServiceDefinition, account(people)),
        expose(SignUpServiceDefinition, signUp(people)),
      ],
      findWorkspace: (id) => ofWorkspaces.getWorkspace({ id }),
      consumers: { ...consumers, planChanged: fit.note },
      background: [used, fit, ...(outgoing ? [outgoing] : [])],
      expiring: [OLD_INVITATIONS, ENDED_LEASES, ...RETENTION],
      close: () => elsewhere.close(),
    };
  },
});

/** Returns the identity providers for signing in, and the egress to reach them. */
function openProviders(config: Config<typeof VARIABLES>) {
  const { OIDC_PROVIDERS, BASE_URL } = config;
  const providers = parseOidcProviders(OIDC_PROVIDERS);
  const egress = configuredEgress(config);
  return { providers, baseUrl: BASE_URL, send: egress.sendFor('sign-in'), close: () => egress.close() };
}

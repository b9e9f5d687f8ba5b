import { configuredMail } from '@drawbridge/mail';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { IdentityServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { PortalServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { expose, type Logger } from '@drawbridge/rpc';
import { type ServiceAssembly } from '@drawbridge/service';
import { findCandidates } from '../find-candidates.js';
import { OLD_ORIGINS, OLD_PROOFS } from '../identities/email-proofs.js';
import { identities } from '../identities/identities.js';
import { type EndUserParts, endUserRpcs } from './end-users.js';
import { portal } from './portal.js';
import { OLD_MAILS, portalMails } from './portal-mails.js';
import { OLD_PORTAL_TOKENS } from './portal-tokens.js';

interface Parts extends Omit<EndUserParts, 'mails'> {
  config: Parameters<typeof configuredMail>[0];
  log: Logger;
}

/** Assembles everything for end users: records, portal links and their mails, and identification. */
export function people({
  config,
  log,
  ...parts
}: Parts): Required<Pick<ServiceAssembly, 'rpcs' | 'background' | 'expiring'>> {
  const mail = configuredMail(config);
  const { db, pool } = parts;
  const mails = mail && portalMails({ db, pool, log, ...mail });
  return {
    rpcs: [
      expose(EndUserServiceDefinition, endUserRpcs({ ...parts, mails })),
      expose(PortalServiceDefinition, portal(parts)),
      expose(IdentityServiceDefinition, identities({ ...parts, mails, find: findCandidates(pool) })),
    ],
    background: mails ? [mails] : [],
    expiring: [OLD_PORTAL_TOKENS, OLD_MAILS, OLD_PROOFS, OLD_ORIGINS],
  };
}

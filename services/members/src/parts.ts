import { type Plans } from '@drawbridge/contracts';
import { type Send } from '@drawbridge/egress';
import { type Outbox } from '@drawbridge/events';
import { type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { type Mails } from './mails.js';
import { type Attempts } from './sign-in/attempts.js';
import { type Auth } from './sign-in/auth.js';
import { type OidcProvider } from './sign-in/oidc-providers.js';

/** The parts of members that its RPCs share. */
export interface Parts {
  db: Db;
  /** Finds rows of any organization: a user may have memberships in several, and a link names none. */
  unscoped: Db;
  pool: Pool;
  outbox: Outbox;
  log: Logger;
  plans: Plans;
  /** Undefined if no mail is configured: the inviter passes the link on. */
  mails?: Mails;
  auth(): Promise<Auth>;
  attempts: Attempts;
  askedLinks: Attempts;
  /** Identity providers for signing in, and the egress to reach them. */
  providers: OidcProvider[];
  baseUrl: string;
  send: Send;
}

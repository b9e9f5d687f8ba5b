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

/** The dependencies that the RPCs of the members service share. */
export interface Parts {
  db: Db;
  /** Reads rows of all organizations. Needed because a user may be a member of several organizations, and a link contains no organization. */
  unscoped: Db;
  pool: Pool;
  outbox: Outbox;
  log: Logger;
  plans: Plans;
  /** Undefined if no mail server is configured. The inviter then sends the link to the user. */
  mails?: Mails;
  auth(): Promise<Auth>;
  attempts: Attempts;
  askedLinks: Attempts;
  /** Identity providers for signing in. */
  providers: OidcProvider[];
  baseUrl: string;
  send: Send;
}

import { type Egress } from '@drawbridge/egress';
import { type Outbox } from '@drawbridge/events';
import { type Logger } from '@drawbridge/rpc';
import { type FindLimit } from '@drawbridge/service';
import { type Pool } from 'pg';
import { type Db } from './database.js';
import { type EndUserMails } from './end-users/end-user-mails.js';
import { type Envelope } from './envelope-encryption.js';
import { type FindCandidates } from './find-candidates.js';
import { type LastUsed } from './vault.js';
import { type OAuthApps } from './oauth/choose-oauth-app.js';
import { type PlatformApps } from './oauth/platform-apps.js';
import { type FindPlan, type WorkspaceChecks } from './workspaces.js';

/** The parts of the service that its RPCs and its background work share. */
export interface Parts {
  db: Db;
  pool: Pool;
  outbox: Outbox;
  log: Logger;
  envelope: Envelope;
  egress: Egress;
  workspaces: WorkspaceChecks;
  findPlan: FindPlan;
  /** Returns the brand color of an organization for its emails. */
  findColor: (orgId: string) => Promise<string | undefined>;
  findLimit: FindLimit;
  used: LastUsed;
  find: FindCandidates;
  platform: PlatformApps;
  apps: OAuthApps;
  /** Undefined if email is not configured. */
  mails?: EndUserMails;
  /** Maps a URL of a provider to the address at which this process connects to it, if ORIGIN_MAP contains its origin. */
  at(url: URL): URL;
  /** Deletes cached rows. Must be called after a change in this process, so that the next request reads the change. */
  onCommit(): void;
}

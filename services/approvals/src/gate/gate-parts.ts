import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import { type Pool } from 'pg';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type AskModel } from '../model/ask-model.js';
import { type LinkKeeper } from '../requests/links.js';
import { type PoliciesInForce } from './policies-in-force.js';

export interface GateParts {
  db: Db;
  pool: Pool;
  guard: WorkspaceGuard;
  outbox: Outbox;
  links: LinkKeeper;
  policies: PoliciesInForce;
  askModel: AskModel;
}

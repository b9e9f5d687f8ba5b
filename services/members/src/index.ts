import { type Bus, eventRules, outboxRelay, retention, subscriber, topicOf } from '@drawbridge/events';
import {
  ApiKeyServiceDefinition,
  KeyVerificationServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { expose, type Host, type Service, type Wanted } from '@drawbridge/rpc';
import { apiKeys } from './api-keys.js';
import { bootstrap } from './bootstrap.js';
import { openMembersDatabase } from './database.js';
import { keyVerification, lastUsed } from './key-verification.js';
import { organizations } from './organizations.js';
import { readPlans } from './plans.js';
import { countActions } from './usage.js';
import { workspaces } from './workspaces.js';

/** What it needs of the configuration in a process of its own. */
export const wanted = { required: ['DATABASE_URL'], checks: { PLANS_FILE: readPlans } } satisfies Wanted;

/** Organizations, workspaces, API keys: who may call and for whom. */
export async function members({ config, log, bus }: Host & { bus: Bus }): Promise<Service> {
  const plans = readPlans(config.PLANS_FILE);
  const database = await openMembersDatabase(config.DATABASE_URL);
  const { db, pool } = database;
  await bootstrap(database, plans, config.BOOTSTRAP_API_KEY);

  const used = lastUsed(pool);
  const relay = outboxRelay({ pool, schema: 'members', topic: topicOf('members'), bus, log });
  subscriber({ bus, pool, schema: 'members' })('execution', { actionExecuted: countActions });
  return {
    name: 'members',
    rpcs: [
      expose(OrganizationServiceDefinition, organizations(db, plans)),
      expose(
        WorkspaceServiceDefinition,
        workspaces(db, () => relay.wake()),
      ),
      expose(ApiKeyServiceDefinition, apiKeys(db)),
      expose(KeyVerificationServiceDefinition, keyVerification(pool, plans, used.note)),
    ],
    background: [relay, used, retention({ pool, log, rules: eventRules('members') })],
    ready: () => database.ready(),
    close: () => database.close(),
  };
}

import { readFileSync } from 'node:fs';
import {
  DEFAULT_CALLBACKS_PER_TRIGGER,
  DEFAULT_PLANS,
  invalid,
  type Limits,
  notFound,
  type Plans,
} from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type PlanQuotas } from '@drawbridge/proto/drawbridge/members/v1/events';
import { caller } from '@drawbridge/rpc';
import { recordOperator } from './audit/record-operator.js';
import { type PrismaClient as Db, type Organization } from './gen/prisma/client.js';
import { lockOrganization } from './membership.js';

/** Maximum value of a limit, because limits are int32 in the proto. */
const MAX_INT32 = 2_147_483_647;
const LIMIT = `a whole number from 1 to ${MAX_INT32}, or null for no limit`;
const FLAGS = ['tenantOAuthApps'];

/**
 * Returns the plans in the file of the operator, or the built-in plans without a file. Throws an Error that contains the invalid file, plan or limit.
 */
export function readPlans(file: string): Plans {
  if (file === '') return DEFAULT_PLANS;
  const plans = readJson(file);
  if (!isObject(plans) || Object.keys(plans).length === 0) {
    throw new Error('PLANS_FILE: must contain a JSON object that maps plans to limits');
  }
  const whole = Object.entries(plans).map(([plan, limits]) => [plan, withLaterLimits(limits)] as const);
  for (const [plan, limits] of whole) requireLimits(plan, limits);
  return Object.fromEntries(whole) as unknown as Plans;
}

/** Adds the limit that a file for an earlier version does not contain. */
function withLaterLimits(limits: unknown): unknown {
  return isObject(limits) ? { callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER, ...limits } : limits;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? 'does not hold JSON' : 'is not a readable file';
    throw new Error(`PLANS_FILE: ${problem}. It must contain a JSON object that maps plans to limits`, { cause });
  }
}

function requireLimits(plan: string, limits: unknown): void {
  if (!isObject(limits)) throw new Error(`PLANS_FILE: ${plan} must be an object of limits`);
  const names = Object.keys(DEFAULT_PLANS['free']!);
  const unknown = Object.keys(limits).find((name) => !names.includes(name));
  if (unknown) throw new Error(`PLANS_FILE: ${plan}.${unknown} is not a limit. The limits are ${names.join(', ')}`);
  const wrong = names.find((name) => !isLimit(name, limits[name]));
  if (wrong) throw new Error(`PLANS_FILE: ${plan}.${wrong} must be ${FLAGS.includes(wrong) ? 'true or false' : LIMIT}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLimit(name: string, value: unknown): boolean {
  if (FLAGS.includes(name)) return typeof value === 'boolean';
  return value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_INT32);
}

/** Returns the limits of a plan. If the operator removed the plan from the file, returns the limits of the plan `free`. */
export function limitsOf(plans: Plans, plan: string): Limits {
  return plans[plan] ?? plans['free'] ?? DEFAULT_PLANS['free']!;
}

type Organizations = Pick<Db, 'organization'>;

/** Returns the limits of the organization's plan, and the version of the plan. Throws NOT_FOUND. */
export async function currentPlan(
  db: Organizations,
  plans: Plans,
  orgId: string,
): Promise<{ limits: Limits; planVersion: number }> {
  const select = { plan: true, planVersion: true };
  const organization = await db.organization.findUnique({ where: { id: orgId }, select });
  if (!organization) throw notFound('Organization', orgId);
  return { limits: limitsOf(plans, organization.plan), planVersion: organization.planVersion };
}

/** Returns a function that returns the maximum number of workspaces of the caller's organization, according to its plan. */
export function workspaceLimit(db: Organizations, plans: Plans): () => Promise<number | null> {
  return async () => (await currentPlan(db, plans, caller().orgId)).limits.workspaces;
}

/**
 * Sets the plan of an organization. An event sends the limits to the services, which suspend or resume rows to match them. Setting the current plan
 * again applies limits that the operator changed. Throws VALIDATION_ERROR for an unknown plan, and NOT_FOUND.
 */
export async function setPlan(
  { db, plans, outbox }: { db: Db; plans: Plans; outbox: Outbox },
  { orgId, plan }: { orgId: string; plan: string },
): Promise<Organization> {
  const limits = plans[plan];
  if (!limits) throw invalid({ plan: `must be one of ${Object.keys(plans).join(', ')}` });
  return db.$transaction(async (tx) => {
    const { plan: before } = await lockOrganization(tx, orgId);
    const data = { plan, planVersion: { increment: 1 } };
    const row = await tx.organization.update({ where: { id: orgId }, data });
    const payload = { $case: 'planChanged' as const, value: { version: row.planVersion, limits: quotasOf(limits) } };
    await outbox.add(tx, payload, row.id);
    await recordOperator(tx, {
      orgId: row.id,
      action: 'organization.set_plan',
      id: row.id,
      name: row.name,
      reason: `from ${before} to ${plan}`,
    });
    return row;
  });
}

function quotasOf({ workspaces, connections, mcpServers }: Limits): PlanQuotas {
  return toWire({ workspaces, connections, mcpServers });
}

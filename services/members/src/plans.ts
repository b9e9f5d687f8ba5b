import { readFileSync } from 'node:fs';
import { DEFAULT_PLANS, type Limits, type Plans } from '@drawbridge/contracts';

/** Limits travel as int32. */
const MAX_INT32 = 2_147_483_647;
const FLAGS = ['tenantOAuthApps'];

/** The operator's plans, or the built-in ones. Fails naming the plan and the limit that is wrong. */
export function readPlans(file: string): Plans {
  if (file === '') return DEFAULT_PLANS;
  const plans = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;
  for (const [plan, limits] of Object.entries(plans)) {
    for (const name of Object.keys(DEFAULT_PLANS['free']!)) {
      if (!isLimit(name, limits[name]))
        throw new Error(`PLANS_FILE: ${plan}.${name} must be an integer from 1 to ${MAX_INT32}, or null`);
    }
  }
  return plans as unknown as Plans;
}

function isLimit(name: string, value: unknown): boolean {
  if (FLAGS.includes(name)) return typeof value === 'boolean';
  return value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_INT32);
}

/** An organization whose plan the operator took away gets the tightest one: it fails closed. */
export function limitsOf(plans: Plans, plan: string): Limits {
  return plans[plan] ?? plans['free'] ?? DEFAULT_PLANS['free']!;
}

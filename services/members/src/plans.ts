import { readFileSync } from 'node:fs';
import { DEFAULT_CALLBACKS_PER_TRIGGER, DEFAULT_PLANS, type Limits, type Plans } from '@drawbridge/contracts';

/** Limits are int32 in the proto. */
const MAX_INT32 = 2_147_483_647;
const LIMIT = `a whole number from 1 to ${MAX_INT32}, or null for none`;
const FLAGS = ['tenantOAuthApps'];

/** Returns the operator's plans, or the built-in ones. Throws an Error that names the file, the plan or the limit that is wrong. */
export function readPlans(file: string): Plans {
  if (file === '') return DEFAULT_PLANS;
  const plans = readJson(file);
  if (!isObject(plans) || Object.keys(plans).length === 0) {
    throw new Error('PLANS_FILE: must hold an object, plan → limits');
  }
  const whole = Object.entries(plans).map(([plan, limits]) => [plan, withLaterLimits(limits)] as const);
  for (const [plan, limits] of whole) requireLimits(plan, limits);
  return Object.fromEntries(whole) as unknown as Plans;
}

/** Adds the limits that files for an earlier version lack. */
function withLaterLimits(limits: unknown): unknown {
  return isObject(limits) ? { callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER, ...limits } : limits;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? 'does not hold JSON' : 'is not a readable file';
    throw new Error(`PLANS_FILE: ${problem}; it must hold a JSON object, plan → limits`, { cause });
  }
}

function requireLimits(plan: string, limits: unknown): void {
  if (!isObject(limits)) throw new Error(`PLANS_FILE: ${plan} must be an object of limits`);
  const names = Object.keys(DEFAULT_PLANS['free']!);
  const unknown = Object.keys(limits).find((name) => !names.includes(name));
  if (unknown) throw new Error(`PLANS_FILE: ${plan}.${unknown} is no limit; there are ${names.join(', ')}`);
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

/** Returns the limits of a plan. If the operator removed the plan, the organization gets the strictest one. */
export function limitsOf(plans: Plans, plan: string): Limits {
  return plans[plan] ?? plans['free'] ?? DEFAULT_PLANS['free']!;
}

import { ApiError } from '@drawbridge/contracts';
import { readConfig } from '@drawbridge/rpc';
import { type AllConfig } from '../config-flags.js';
import { VARIABLES } from '../variables.js';
import { type Finding } from './finding.js';
import { runningFindings } from './running.js';
import { settingsFindings } from './settings.js';

export interface Report {
  status: Finding['status'];
  checks: Finding[];
}

/**
 * Checks a running instance against the hardening checklist of docs/self-hosting.md: whether it responds, the strength of its keys, BASE_URL and TLS,
 * open ports, the sandbox engine, the clock and the disk. Reads the variables with which the instance was started. Changes nothing. Throws
 * VALIDATION_ERROR if the variables are invalid.
 */
export async function doctor(env: NodeJS.ProcessEnv): Promise<Report> {
  const config = configOf(env);
  const checks = [...(await runningFindings(config)), ...settingsFindings(config)];
  const worst = (['failed', 'warning', 'ok'] as const).find((status) => checks.some((one) => one.status === status));
  return { status: worst ?? 'ok', checks };
}

function configOf(env: NodeJS.ProcessEnv): AllConfig {
  try {
    return readConfig(env, VARIABLES, true);
  } catch (error) {
    throw new ApiError('VALIDATION_ERROR', (error as Error).message);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Outcome, openSandbox, type RunRequest, type Sandbox, type SlotRequest } from '../index.js';

type More = Partial<SlotRequest & RunRequest>;

let sandbox: Sandbox;
beforeAll(() => void (sandbox = openSandbox({ workers: 2 })));
afterAll(() => sandbox.close());

export const opened = (): Sandbox => sandbox;

export const run = (code: string, more: More = {}): Promise<Outcome> =>
  sandbox.run({ organization: 'acme', code, ...more });

/** Runs code that must complete, and returns its result. */
export async function valueOf(code: string, more?: More) {
  const outcome = await run(code, more);
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

/** Runs code that must fail, and returns its error. */
export async function errorOf(code: string, more?: More) {
  const outcome = await run(code, more);
  if (outcome.status !== 'failed') throw new Error(JSON.stringify(outcome));
  return outcome.error;
}

export const wait = (milliseconds: number) => async (): Promise<undefined> => sleep(milliseconds, undefined);

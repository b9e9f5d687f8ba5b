import { ApiError } from './errors.js';

/** A refusal as a caller sees it, as a value instead of an exception. */
export interface Refusal {
  status: number;
  error: string;
  code: string;
  details: Record<string, unknown>;
}

/** Returns the ApiError that the attempt fails with, or undefined on success. Rethrows other errors. */
export async function refused(attempt: () => unknown): Promise<Refusal | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, code, details } = error;
    return { status, error: message, code, details };
  }
}

import { ApiError } from './errors.js';

/** A refusal as a caller sees it, told instead of thrown. */
export interface Refusal {
  status: number;
  error: string;
  code: string;
  details: Record<string, unknown>;
}

/** What is attempted is refused with; undefined where it is not. What is no ApiError goes on. */
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

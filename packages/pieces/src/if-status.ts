import { ProviderError } from '@drawbridge/piece-kit';

/** Returns a handler for `catch` of a request that replaces the failure with this status by a value. It rethrows any other error. */
export const ifStatus =
  <Value>(status: number, value: Value) =>
  (error: unknown): Value => {
    if (error instanceof ProviderError && error.status === status) return value;
    throw error;
  };

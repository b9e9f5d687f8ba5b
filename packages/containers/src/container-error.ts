export type ContainerErrorCode =
  'ENGINE_UNAVAILABLE' | 'IMAGE_MISSING' | 'NETWORK_UNAVAILABLE' | 'INVALID_REQUEST' | 'MOUNT_LIMIT' | 'CANCELLED';

/** A run that could not be done. Failures of the code itself are results. The message is for the caller. */
export class ContainerError extends Error {
  constructor(
    readonly code: ContainerErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ContainerError';
  }
}

/** Returns a property of an error of Node.js or the engine, as text; '' without one. */
export function detailOf(error: unknown, property: 'code' | 'statusCode' | 'message'): string {
  const details = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  return details[property] === undefined ? '' : String(details[property]);
}

export type ContainerErrorCode =
  'ENGINE_UNAVAILABLE' | 'IMAGE_MISSING' | 'NETWORK_UNAVAILABLE' | 'INVALID_REQUEST' | 'MOUNT_LIMIT' | 'CANCELLED';

/** Thrown if the run could not be started or completed. A failure of the code itself is a result, not an error. The message is for the caller. */
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

/** Returns a property of an error of Node.js or the engine as a string, or '' if it is absent. */
export function detailOf(error: unknown, property: 'code' | 'statusCode' | 'message'): string {
  const details = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  return details[property] === undefined ? '' : String(details[property]);
}

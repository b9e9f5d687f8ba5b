export type PropertyFailure =
  'NOT_DROPDOWN' | 'NO_OPTIONS_FN' | 'OPTIONS_FAILED' | 'NOT_DYNAMIC' | 'NO_PROPS_FN' | 'RESOLVE_FAILED';

/** A property cannot be resolved, because of its declaration or its code's result. The message is for the caller and quotes no provider. */
export class PropertyError extends Error {
  override readonly name = 'PropertyError';

  constructor(
    readonly code: PropertyFailure,
    message: string,
  ) {
    super(message);
  }
}

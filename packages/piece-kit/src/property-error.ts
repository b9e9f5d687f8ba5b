export type PropertyFailure =
  'NOT_DROPDOWN' | 'NO_OPTIONS_FN' | 'OPTIONS_FAILED' | 'NOT_DYNAMIC' | 'NO_PROPS_FN' | 'RESOLVE_FAILED';

/** Why a property can't be resolved, by its declaration or by what its code made. The message is for the caller and quotes no third party. */
export class PropertyError extends Error {
  override readonly name = 'PropertyError';

  constructor(
    readonly code: PropertyFailure,
    message: string,
  ) {
    super(message);
  }
}

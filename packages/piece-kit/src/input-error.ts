/** An input that its schema cannot refuse but the action can. The message is for the caller and names no secret. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(
    /** The key of the property, as in `input.<key>`. */
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

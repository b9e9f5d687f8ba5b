/** An invalid input that the schema accepts. The message is for the caller and contains no secret. */
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

/**
 * The provider said no, or what came back is not to be trusted. `code` is its own, or one of RFC 6749; `message` is fit to be shown.
 */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The provider could not be asked, or answered nothing that says yes or no: the same may succeed later. */
export class OAuthFault extends Error {
  override readonly name = 'OAuthFault';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

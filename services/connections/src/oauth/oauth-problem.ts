/** The provider refused, or its answer cannot be trusted. `code` is the provider's, or one of RFC 6749; `message` can be shown to users. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The provider could not be reached, or gave no clear answer: a retry may succeed. */
export class OAuthFault extends Error {
  override readonly name = 'OAuthFault';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

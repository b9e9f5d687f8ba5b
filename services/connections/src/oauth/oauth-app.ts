/** An OAuth client that is registered at a provider. */
export interface OAuthApp {
  /** Null: the operator's own. */
  id: string | null;
  clientId: string;
  clientSecret: string;
  /** Overrides the scopes of the piece. */
  scopes?: string[];
  /** The secret with which the provider signs its requests to the address of the operator's app. */
  webhookSecret?: string;
}

/** Who asks a provider: a client that was registered there. */
export interface OAuthApp {
  /** Null: the operator's own. */
  id: string | null;
  clientId: string;
  clientSecret: string;
  /** Instead of the piece's. */
  scopes?: string[];
  /** What the third party signs with what it sends to the one address of the operator's app. */
  webhookSecret?: string;
}

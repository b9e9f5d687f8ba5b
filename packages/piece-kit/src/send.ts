/** Sends one HTTP request through the egress package. Pieces have no other network access. */
export type Send = (request: SendRequest) => Promise<Answer>;

export interface SendRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  timeoutMs?: number;
  maxBytes?: number;
  maxRedirects?: number;
  signal?: AbortSignal;
  /** Delay in milliseconds before the request is sent. `delayed` implements it. */
  delayMs?: number;
}

export interface Answer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The URL of the response, after redirects. */
  url: string;
}

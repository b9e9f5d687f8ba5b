/** One outgoing HTTP request and its answer, as the egress package sends them. Pieces reach the network in no other way. */
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
  /** To be sent in so many milliseconds: `delayed` waits for it. */
  delayMs?: number;
}

export interface Answer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Where the answer came from, after redirects. */
  url: string;
}

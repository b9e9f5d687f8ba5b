import type { JsonObject } from './json.js';

/** A request to the URL of a trigger. The body is unmodified, because the signature covers these bytes. */
export interface WebhookRequest {
  method: string;
  /** The requested URL, with its query. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The data that verifies a request. */
export interface Proof {
  /** The secret of the registration (given to `enable` or returned by it), or the one that the operator entered for an app. */
  secret: string;
  /** Milliseconds, as Date.now() counts them. */
  now: number;
}

/** The response to a provider that validates a URL. */
export interface HandshakeReply {
  /** 200 if absent. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The new signing secret, if the provider sends it in this request. */
  secret?: string;
}

/** One occurrence of a trigger. */
export interface TriggerEvent {
  /** A stable id of the event at the provider. Each id is delivered once. */
  id: string;
  data: JsonObject;
  /**
   * The signature, if it covers neither the time nor the id. The same signature under another id more than five minutes later is a replay and
   * is dropped.
   */
  signature?: string;
}

import type { JsonObject } from './json.js';

/** What somebody sent to the address of a trigger, untouched: a signature is of these bytes. */
export interface WebhookRequest {
  method: string;
  /** As it was asked for, with its query. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** What proves that a request comes from the third party. */
export interface Proof {
  /** Of the registration: what `enable` was given, or answered; of an app, what its operator entered. */
  secret: string;
  /** Milliseconds, as Date.now() counts them. */
  now: number;
}

/** What a third party that tries out an address is answered. */
export interface HandshakeReply {
  /** 200 if absent. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** What it signs with from now on, where it says so here. */
  secret?: string;
}

/** One thing that happened. */
export interface TriggerEvent {
  /** The same whenever the third party tells of it: it is delivered once. */
  id: string;
  data: JsonObject;
  /**
   * The signature, where what was signed has neither the time nor the id in it: five minutes after it came first, the same under another id is
   * somebody's copy, and is not told.
   */
  signature?: string;
}

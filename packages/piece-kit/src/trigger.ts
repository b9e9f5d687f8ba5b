import { type Credential } from './credential.js';
import { type Http } from './http.js';
import { type JsonObject, type JsonValue } from './json.js';
import { type InputOf, type Props, type Refreshed } from './property.js';

/** The context of a trigger's requests. `input` is validated against its properties. */
export interface TriggerContext<Input = JsonObject> {
  http: Http;
  input: Input;
  auth: Credential | undefined;
  signal: AbortSignal | undefined;
}

/** A subscription at the provider, stored as JSON until it ends. */
export interface Registration {
  /** The data to end and renew it. */
  state: JsonObject;
  /** The signing secret, if the provider chose it. */
  secret?: string;
  /** The time to call `renew`, in ISO 8601. */
  renewAt?: string;
}

interface EnableContext<Input> extends TriggerContext<Input> {
  webhookUrl: string;
  /** A secret of this subscription, for providers that let their client choose it. */
  secret: string;
}

interface RegisteredContext<Input> extends EnableContext<Input> {
  state: JsonObject;
}

interface PollContext<Input> extends TriggerContext<Input> {
  /** The cursor of the last poll. Undefined in the first poll, which returns a starting cursor and no events. */
  cursor: JsonValue | undefined;
}

export interface Polled {
  /** The events, oldest first. */
  events: TriggerEvent[];
  /** The cursor of the next poll. It is stored in one transaction with the events. */
  cursor: JsonValue;
}

interface Inbound<Input> {
  /**
   * Returns whether the provider sent the request: checks its signature in constant time, and its time if that is signed. It must be pure and
   * must not throw for any request.
   */
  verify(request: WebhookRequest, proof: Proof): boolean;
  /** Returns the response to a provider that validates the URL; undefined for other requests. Called before `verify`. */
  handshake?(request: WebhookRequest, proof: Proof): HandshakeReply | undefined;
  /** Returns the events of a verified request for a subscription with this input. */
  events(request: WebhookRequest, input: Input): TriggerEvent[];
}

interface Declaration<P extends Props> {
  displayName: string;
  description: string;
  props: P;
  /** An example of an event's `data`, for use before one occurs. */
  sample: JsonObject;
}

interface Webhook<Input> extends Inbound<Input> {
  kind: 'webhook';
  /** Subscribes `webhookUrl`. Idempotent: a repeated call leaves one subscription. */
  enable(context: EnableContext<Input>): Promise<Registration>;
  /** Ends the subscription. It must not fail if the subscription no longer exists. */
  disable(context: RegisteredContext<Input>): Promise<void>;
  renew?(context: RegisteredContext<Input>): Promise<Registration>;
}

interface Polling<Input> {
  kind: 'polling';
  /** Returns the events since `cursor`, within the output limit. It must not change anything, because it is repeated after a crash. */
  poll(context: PollContext<Input>): Promise<Polled>;
}

/** The provider uses one URL for all subscriptions of the operator's app. */
interface AppWebhook<Input> extends Inbound<Input> {
  kind: 'app-webhook';
  /** Returns the key of the account that the request is about, as `subscribe` returns it; undefined if there is none. */
  route(request: WebhookRequest): string | undefined;
  subscribe(context: TriggerContext<Input>): Promise<string>;
}

export type WebhookTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & Webhook<Input>;
export type PollingTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & Polling<Input>;
export type AppWebhookTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & AppWebhook<Input>;

/** An event of the provider, and the code to receive it. */
export type Trigger = WebhookTrigger | PollingTrigger | AppWebhookTrigger;
export type TriggerKind = Trigger['kind'];

/** Declares a trigger: its inputs, and how it receives events from the provider. */
export function trigger<const P extends Props>(
  definition: WebhookTrigger<P & Refreshed<P>, InputOf<P>>,
): WebhookTrigger;
export function trigger<const P extends Props>(
  definition: PollingTrigger<P & Refreshed<P>, InputOf<P>>,
): PollingTrigger;
export function trigger<const P extends Props>(
  definition: AppWebhookTrigger<P & Refreshed<P>, InputOf<P>>,
): AppWebhookTrigger;
export function trigger(definition: Trigger): Trigger {
  return definition;
}

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
  /** The URL that the provider got, for signatures that cover it. */
  webhookUrl: string;
}

/** The response to a provider that validates a URL. */
export interface HandshakeReply {
  /** 200 if absent. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The signing secret, if the provider sends it in this request. It is accepted once, while `enable` runs. */
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

/** Limit of the events as JSON: half the limit of an output, because redaction may make it longer. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns as many of the oldest items as fit in the answer of one poll, at least one, and their events. `toEvent` returns undefined to skip
 * an item. The poll's cursor must follow the last item in `read`, so that the next poll returns the rest.
 */
export function firstThatFit<Item>(
  items: readonly Item[],
  toEvent: (item: Item, index: number) => TriggerEvent | undefined,
): { events: TriggerEvent[]; read: Item[] } {
  const events: TriggerEvent[] = [];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const event = toEvent(item, index);
    if (!event) continue;
    bytes += Buffer.byteLength(JSON.stringify(event));
    if (events.length > 0 && bytes > MAX_BYTES) return { events, read: items.slice(0, index) };
    events.push(event);
  }
  return { events, read: [...items] };
}

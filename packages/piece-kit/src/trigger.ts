import { type Credential } from './credential.js';
import { type Http } from './http.js';
import { type JsonObject, type JsonValue } from './json.js';
import { type InputOf, type Props, type Refreshed } from './property.js';

/** The context of a trigger's requests. `input` is validated against the trigger's properties. */
export interface TriggerContext<Input = JsonObject> {
  http: Http;
  input: Input;
  auth: Credential | undefined;
  signal: AbortSignal | undefined;
}

/** A subscription that `enable` created at the provider. It is stored as JSON until `disable` deletes it. */
export interface Registration {
  /** The data about the subscription that `disable` and `renew` need. */
  state: JsonObject;
  /** The signing secret, if the provider generated it. */
  secret?: string;
  /** The time at which `renew` must be called, in ISO 8601. */
  renewAt?: string;
}

interface EnableContext<Input> extends TriggerContext<Input> {
  webhookUrl: string;
  /** A secret for this subscription, for providers that accept a secret from the client. */
  secret: string;
}

interface RegisteredContext<Input> extends EnableContext<Input> {
  state: JsonObject;
}

interface PollContext<Input> extends TriggerContext<Input> {
  /** The state of the subscription that received the notification which starts the poll. Undefined for a trigger that is only polled. */
  state?: JsonObject;
  /** The cursor of the last poll. Undefined in the first poll, which returns a starting cursor and no events. */
  cursor: JsonValue | undefined;
}

export interface Polled {
  /** The events, oldest first. */
  events: TriggerEvent[];
  /** The cursor of the next poll. It is stored in one transaction with the events. */
  cursor: JsonValue;
  /** Set if the provider has more events than this poll returned. The next poll then follows in 2 s. */
  isMore?: boolean;
}

/** A trigger for which the provider's requests contain the events. */
interface Sent<Input> extends Requests {
  /**
   * Returns the events in a verified request, for a subscription with this input. `routeKey` is the key of the subscription. A request of an app may
   * contain events of several accounts: return only the events of this account.
   */
  events(request: WebhookRequest, input: Input, routeKey?: string): TriggerEvent[];
  poll?: undefined;
}

/**
 * A trigger for which the provider's requests contain no data. Each request starts a poll, which continues from the stored cursor. The poll also runs
 * when the trigger is enabled, and every hour in case a request was lost.
 */
interface Notified<Input> extends Requests {
  poll(context: PollContext<Input>): Promise<Polled>;
  events?: undefined;
}

interface Requests {
  /**
   * Returns whether the provider sent the request. Checks its signature in constant time, and its time if the signature covers it. It must be pure
   * and must not throw for any request.
   */
  verify(request: WebhookRequest, proof: Proof): boolean;
  /** Returns the response to a request with which the provider validates the URL, or undefined for other requests. Called before `verify`. */
  handshake?(request: WebhookRequest, proof: Proof): HandshakeReply | undefined;
}

interface Declaration<P extends Props> {
  displayName: string;
  description: string;
  props: P;
  /** An example of an event's `data`, for use before an event occurs. */
  sample: JsonObject;
}

interface Subscribed<Input> {
  kind: 'webhook';
  /**
   * Set if the provider has one webhook per account. All triggers of the piece with this flag share one URL and one secret for a connection. `enable`
   * is called for each trigger and must subscribe to the events of all of them. `disable` is called when the last trigger is disabled.
   */
  sharesWebhook?: true;
  /** Subscribes `webhookUrl`. Must be idempotent: repeated calls leave one subscription. */
  enable(context: EnableContext<Input>): Promise<Registration>;
  /** Deletes the subscription. It must not fail if the subscription no longer exists. */
  disable(context: RegisteredContext<Input>): Promise<void>;
  renew?(context: RegisteredContext<Input>): Promise<Registration>;
}

interface Polling<Input> {
  kind: 'polling';
  /** Returns the events since `cursor`, within the output limit. It must not change anything, because it is repeated after a crash. */
  poll(context: PollContext<Input>): Promise<Polled>;
}

/** A trigger of a provider that sends the events of all accounts to one URL of the operator's app. */
interface OfApp<Input> {
  kind: 'app-webhook';
  /**
   * Returns the keys of the accounts to which the request belongs, as `subscribe` returns them. Returns undefined or an empty list if there are none.
   */
  route(request: WebhookRequest): string | readonly string[] | undefined;
  subscribe(context: TriggerContext<Input>): Promise<string>;
}

export type WebhookTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> &
  Subscribed<Input> &
  Sent<Input>;
export type PollingTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & Polling<Input>;
export type AppWebhookTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> &
  OfApp<Input> &
  Sent<Input>;
/** A trigger for which each request of the provider starts a poll, because the request itself contains no event. */
export type NotifiedTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> &
  (Subscribed<Input> | OfApp<Input>) &
  Notified<Input>;

/** A trigger of any kind: an event of the provider, and the functions that receive it. */
export type Trigger = WebhookTrigger | PollingTrigger | AppWebhookTrigger | NotifiedTrigger;
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
export function trigger<const P extends Props>(
  definition: NotifiedTrigger<P & Refreshed<P>, InputOf<P>>,
): NotifiedTrigger;
export function trigger(definition: Trigger): Trigger {
  return definition;
}

/** Returns the keys of the accounts to which a request to an app belongs. Throws the errors of `route`. */
export function routeKeys({ route }: Pick<AppWebhookTrigger, 'route'>, request: WebhookRequest): readonly string[] {
  const keys = route(request) ?? [];
  return typeof keys === 'string' ? [keys] : keys;
}

/** A request to the URL of a trigger. The body is unmodified, because the signature covers these bytes. */
export interface WebhookRequest {
  method: string;
  /** The requested URL, with its query. */
  url: string;
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The data for verifying a request. */
export interface Proof {
  /** The secret of the registration, which `enable` received or returned, or the secret that the operator entered for an app. */
  secret: string;
  /** Milliseconds, as Date.now() returns. */
  now: number;
  /** The URL that the provider called, for signatures that cover it. */
  webhookUrl: string;
}

/** The response to a request with which a provider validates a URL. */
export interface HandshakeReply {
  /** Default: 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The signing secret, if the provider sends it in this request. It is accepted once, while `enable` runs. */
  secret?: string;
}

/** One event of a trigger. */
export interface TriggerEvent {
  /** A stable id of the event at the provider. Each id is delivered once. */
  id: string;
  data: JsonObject;
  /**
   * The signature, if it covers neither the time nor the id. If the same signature arrives with another id more than five minutes later, the request
   * is a replay and is dropped.
   */
  signature?: string;
}

import type { Credential } from './credential.js';
import type { Http } from './http.js';
import type { JsonObject, JsonValue } from './json.js';
import type { InputOf, Props, Refreshed } from './property.js';
import type { HandshakeReply, Proof, TriggerEvent, WebhookRequest } from './webhook-request.js';

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

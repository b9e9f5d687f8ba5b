import type { Credential } from './credential.js';
import type { Http } from './http.js';
import type { JsonObject, JsonValue } from './json.js';
import type { InputOf, Props, Refreshed } from './property.js';
import type { HandshakeReply, Proof, TriggerEvent, WebhookRequest } from './webhook-request.js';

/** What a trigger asks its third party with; `input` was validated against its properties. */
export interface TriggerContext<Input = JsonObject> {
  http: Http;
  input: Input;
  auth: Credential | undefined;
  signal: AbortSignal | undefined;
}

/** A subscription at the third party. Kept as JSON until it is ended. */
export interface Registration {
  /** What ends and renews it. */
  state: JsonObject;
  /** What the third party signs with, where it chose that itself. */
  secret?: string;
  /** ISO 8601: when to call `renew`. */
  renewAt?: string;
}

interface EnableContext<Input> extends TriggerContext<Input> {
  webhookUrl: string;
  /** Of this subscription alone, for third parties that let their client choose it. */
  secret: string;
}

interface RegisteredContext<Input> extends EnableContext<Input> {
  state: JsonObject;
}

interface PollContext<Input> extends TriggerContext<Input> {
  /** What the last poll answered. Undefined in the first: that one remembers where to begin, and has no events. */
  cursor: JsonValue | undefined;
}

export interface Polled {
  /** Oldest first. */
  events: TriggerEvent[];
  /** Kept together with the events: both, or neither. */
  cursor: JsonValue;
}

interface Inbound<Input> {
  /**
   * Whether the third party sent it, by its signature, compared in constant time, and its time where it signs one. Pure; whatever
   * anybody sends, it answers and does not throw.
   */
  verify(request: WebhookRequest, proof: Proof): boolean;
  /** What a third party that tries out the address is answered, asked before `verify`; undefined: it is no such request. */
  handshake?(request: WebhookRequest, proof: Proof): HandshakeReply | undefined;
  /** What a verified request tells who asked for it with this input. */
  events(request: WebhookRequest, input: Input): TriggerEvent[];
}

interface Declaration<P extends Props> {
  displayName: string;
  description: string;
  props: P;
  /** The `data` of an event, for who builds on it before one happens. */
  sample: JsonObject;
}

interface Webhook<Input> extends Inbound<Input> {
  kind: 'webhook';
  /** Subscribes `webhookUrl`. Done twice, there is one subscription. */
  enable(context: EnableContext<Input>): Promise<Registration>;
  /** One that is gone already is no failure. */
  disable(context: RegisteredContext<Input>): Promise<void>;
  renew?(context: RegisteredContext<Input>): Promise<Registration>;
}

interface Polling<Input> {
  kind: 'polling';
  /** What is new since `cursor`, no more than a run may answer. Changes nothing, here or there: after a crash it is asked again. */
  poll(context: PollContext<Input>): Promise<Polled>;
}

/** The third party knows one address for all: of the operator's app. */
interface AppWebhook<Input> extends Inbound<Input> {
  kind: 'app-webhook';
  /** Whom of those who connected the app it is about, as `subscribe` names them; undefined: nobody. */
  route(request: WebhookRequest): string | undefined;
  subscribe(context: TriggerContext<Input>): Promise<string>;
}

export type WebhookTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & Webhook<Input>;
export type PollingTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & Polling<Input>;
export type AppWebhookTrigger<P extends Props = Props, Input = JsonObject> = Declaration<P> & AppWebhook<Input>;

/** Something that happens at the third party, and how to hear of it. */
export type Trigger = WebhookTrigger | PollingTrigger | AppWebhookTrigger;
export type TriggerKind = Trigger['kind'];

/** Declares a trigger: its inputs, and how its third party tells of events. */
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

import { ApiError, type ServiceName } from '@drawbridge/contracts';
import {
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
  HealthDefinition,
} from '@drawbridge/proto/grpc/health/v1/health';
import { Client as GrpcClient, type ClientUnaryCall, credentials, Metadata } from '@grpc/grpc-js';
import { ACCESS_TABLE } from './authorize.js';
import { type CallerTokens } from './caller-token.js';
import { clientOf, mayChange, type Network, type Outgoing } from './client.js';
import {
  DEADLINE_KEY,
  encode,
  MAX_MESSAGE_BYTES,
  methodOf,
  pathOf,
  type ServiceDefinition,
  TIME_KEY,
} from './wire-format.js';
import { fromGrpcError, LacksMethod, NotBegun } from './grpc-status.js';
import { LostCall } from './errors.js';
import { type ReferenceClock, referenceClock } from './reference-clock.js';

const CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // A process that hangs does not close its connection, and continues to receive its share of the calls. During calls, keepalive pings detect this
  // before most calls time out. A shorter timeout would close the connections, and cancel the calls, of processes that are only busy.
  'grpc.keepalive_time_ms': 2_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // With the default of 30 s, a caller would know none of the new pods if all pods of a service were replaced within that time.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/**
 * Maximum number of attempts for a call that was rejected before it was processed. Round-robin load balancing sends each attempt to another process.
 */
const MOST_TRIES = 3;
/** Concurrent calls share the order of the processes, so a call can reach processes of the previous version several times in a row. */
const TRIES_OF_VERSIONS = 10;
/** Minimum interval between attempts to read the clock of a service, however many calls are made. */
const CLOCK_PAUSE_MS = 1_000;

interface Asked {
  definition: ServiceDefinition;
  method: string;
  request: unknown;
  outgoing: Outgoing;
}

/** Connects to the other services over gRPC. `addressOf` returns the target of a service (`dns:///host:port` or `ipv4:a:p,b:p`). */
export class GrpcNetwork implements Network {
  private readonly channels = new Map<ServiceName, GrpcClient>();
  /** The time by `performance.now()`. */
  private clockAskedAt = -CLOCK_PAUSE_MS;

  constructor(
    private readonly from: ServiceName,
    private readonly addressOf: (service: ServiceName) => string,
    private readonly tokens: CallerTokens,
    private readonly clock: ReferenceClock = referenceClock,
  ) {}

  client<D extends ServiceDefinition>(service: ServiceName, definition: D): ReturnType<typeof clientOf<D>> {
    return clientOf(definition, this.from, (method, request, outgoing) =>
      this.send(service, { definition, method, request, outgoing }),
    );
  }

  async ready(service: ServiceName): Promise<string[]> {
    const outgoing = { requestId: '', from: this.from, deadline: Date.now() + 2_000 };
    const answer = await this.send(service, { definition: HealthDefinition, method: 'check', request: {}, outgoing });
    const { status, degraded } = answer as HealthCheckResponse;
    if (status !== HealthCheckResponse_ServingStatus.SERVING)
      throw new ApiError('UNAVAILABLE', `${service} is not ready`);
    return degraded;
  }

  close(): void {
    for (const channel of this.channels.values()) channel.close();
  }

  /**
   * Retries in another process if the first process rejected the call before it processed it, or if the connection was lost during a call that
   * changes nothing.
   */
  private async send(service: ServiceName, call: Asked): Promise<unknown> {
    if (call.definition !== HealthDefinition) this.readClock(service);
    // Processes that lack the method are counted separately, because a rolling update also interrupts calls, which are then retried as usual.
    let [tries, lacking] = [0, 0];
    for (;;) {
      try {
        return await this.ask(service, call);
      } catch (error) {
        if (error instanceof LacksMethod) lacking += 1;
        else tries += 1;
        if (lacking >= TRIES_OF_VERSIONS || tries >= this.triesAfter(error, call)) throw error;
      }
    }
  }

  private triesAfter(error: unknown, { definition, method }: Asked): number {
    if (error instanceof LacksMethod) return Infinity;
    if (error instanceof NotBegun) return MOST_TRIES;
    const isLost = error instanceof LostCall && error.code === 'UNAVAILABLE';
    return isLost && ACCESS_TABLE[definition.fullName]?.[method]?.isRepeatable ? 2 : 1;
  }

  /** A process without a database, such as the gateway, reads the time from the services that it calls. No call waits for this. */
  private readClock(service: ServiceName): void {
    if (!this.clock.isDue() || performance.now() - this.clockAskedAt < CLOCK_PAUSE_MS) return;
    this.clockAskedAt = performance.now();
    this.ready(service).catch(() => undefined);
  }

  private async ask(service: ServiceName, call: Asked): Promise<unknown> {
    const { definition, outgoing } = call;
    const method = methodOf(definition, call.method);
    const message = encode(method.requestType, call.request);
    const metadata = await this.metadata(service, outgoing);
    const sentAt = performance.now();
    return new Promise((resolve, reject) => {
      const channel = this.channel(service);
      const running = channel.makeUnaryRequest(
        pathOf(definition, method),
        (bytes: Buffer) => bytes,
        (bytes) => method.responseType.decode(bytes),
        message,
        metadata,
        { deadline: outgoing.deadline },
        (error, response) => {
          outgoing.leaving?.removeEventListener('abort', cancel);
          if (error) {
            const isSent = hasPeer(running, channel);
            reject(fromGrpcError(error, { service, isSent, mayChange: mayChange(definition, call.method) }));
          } else resolve(response);
        },
      );
      if (definition === HealthDefinition)
        running.once('metadata', (headers: Metadata) => {
          const [time] = headers.get(TIME_KEY);
          if (time !== undefined) this.clock.learn({ epochMs: Number(time), sentAt, receivedAt: performance.now() });
        });
      const cancel = (): void => running.cancel();
      outgoing.leaving?.addEventListener('abort', cancel);
      if (outgoing.leaving?.aborted) cancel();
    });
  }

  private async metadata(to: ServiceName, outgoing: Outgoing): Promise<Metadata> {
    const { caller, requestId, traceparent, address, deadline } = outgoing;
    const metadata = new Metadata();
    metadata.set('x-drawbridge-caller', await this.tokens.sign({ from: this.from, to, caller }));
    metadata.set('x-request-id', requestId);
    // gRPC sends the remaining time of a call. If the call waits in a buffer while its receiver is suspended, the receiver would grant all of that
    // time again. This header contains the absolute deadline instead.
    const now = this.clock.now();
    if (now !== undefined) metadata.set(DEADLINE_KEY, String(Math.round(now + deadline - Date.now())));
    if (traceparent) metadata.set('traceparent', traceparent);
    if (address) metadata.set('x-drawbridge-address', address);
    return metadata;
  }

  private channel(service: ServiceName): GrpcClient {
    const known = this.channels.get(service);
    if (known) return known;
    const opened = new GrpcClient(this.addressOf(service), credentials.createInsecure(), CHANNEL_OPTIONS);
    this.channels.set(service, opened);
    return opened;
  }
}

/**
 * Returns whether a call was assigned to a connection. Until then, its peer is the target of the channel. The library does not report whether the
 * message was sent, so every assigned call counts as sent.
 */
function hasPeer(call: ClientUnaryCall, client: GrpcClient): boolean {
  return call.getPeer() !== client.getChannel().getTarget();
}

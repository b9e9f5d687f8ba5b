import { ApiError, type ServiceName } from '@drawbridge/contracts';
import { HealthCheckResponse_ServingStatus, HealthDefinition } from '@drawbridge/proto/grpc/health/v1/health';
import { Client as GrpcClient, type ClientUnaryCall, credentials, Metadata } from '@grpc/grpc-js';
import { ACCESS_TABLE } from './access-table.js';
import { type CallerTokens } from './caller-token.js';
import { clientOf, type Network, type Outgoing } from './client.js';
import { type ServiceDefinition } from './definition.js';
import { fromGrpcError } from './grpc-status.js';
import { LostCall } from './lost-call.js';
import { encode, MAX_MESSAGE_BYTES, methodOf, pathOf } from './wire-format.js';

const CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // A process that hangs has a connection still, and its share of the calls: while some are under way it is asked for a sign of life,
  // within less than most calls may take. One that is busy answers late, and those calls would be lost with its connection.
  'grpc.keepalive_time_ms': 2_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

interface Asked {
  definition: ServiceDefinition;
  method: string;
  request: unknown;
  outgoing: Outgoing;
}

/** The other services over gRPC. `addressOf` says where each one is (`dns:///host:port` or `ipv4:a:p,b:p`). */
export class GrpcNetwork implements Network {
  private readonly channels = new Map<ServiceName, GrpcClient>();

  constructor(
    private readonly from: ServiceName,
    private readonly addressOf: (service: ServiceName) => string,
    private readonly tokens: CallerTokens,
  ) {}

  client<D extends ServiceDefinition>(service: ServiceName, definition: D): ReturnType<typeof clientOf<D>> {
    return clientOf(definition, this.from, (method, request, outgoing) =>
      this.send(service, { definition, method, request, outgoing }),
    );
  }

  async ready(service: ServiceName): Promise<void> {
    const outgoing = { requestId: '', from: this.from, deadline: Date.now() + 2_000 };
    const answer = await this.send(service, { definition: HealthDefinition, method: 'check', request: {}, outgoing });
    const { status } = answer as { status: HealthCheckResponse_ServingStatus };
    if (status !== HealthCheckResponse_ServingStatus.SERVING)
      throw new ApiError('UNAVAILABLE', `${service} is not ready`);
  }

  close(): void {
    for (const channel of this.channels.values()) channel.close();
  }

  /** Once more where the connection ended with the call under way, and a second time changes nothing: another process may be there. */
  private async send(service: ServiceName, call: Asked): Promise<unknown> {
    return this.ask(service, call).catch((error: unknown) => {
      const isLost = error instanceof LostCall && error.code === 'UNAVAILABLE';
      if (!isLost || !ACCESS_TABLE[call.definition.fullName]?.[call.method]?.isRepeatable) throw error;
      return this.ask(service, call);
    });
  }

  private async ask(service: ServiceName, call: Asked): Promise<unknown> {
    const { definition, outgoing } = call;
    const method = methodOf(definition, call.method);
    const message = encode(method.requestType, call.request);
    const metadata = await this.metadata(service, outgoing);
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
          outgoing.signal?.removeEventListener('abort', cancel);
          if (error) reject(fromGrpcError(error, { service, isSent: hasPeer(running, channel) }));
          else resolve(response);
        },
      );
      const cancel = (): void => running.cancel();
      outgoing.signal?.addEventListener('abort', cancel, { once: true });
      if (outgoing.signal?.aborted) cancel();
    });
  }

  private async metadata(to: ServiceName, { caller, requestId, traceparent, address }: Outgoing): Promise<Metadata> {
    const metadata = new Metadata();
    metadata.set('x-drawbridge-caller', await this.tokens.sign({ from: this.from, to, caller }));
    metadata.set('x-request-id', requestId);
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

/** Until a call is given to a connection its peer is the channel's target. In doubt it was given: the library can't say. */
function hasPeer(call: ClientUnaryCall, client: GrpcClient): boolean {
  return call.getPeer() !== client.getChannel().getTarget();
}

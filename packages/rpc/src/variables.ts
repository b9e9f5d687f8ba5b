import { type ServiceName } from '@drawbridge/contracts';
import { str, type ValidatorSpec } from 'envalid';
import { baseUrl, host, internalKey, port, target } from './config-values.js';

/** An environment variable: its envalid validator, default and description, and options that read-config.ts evaluates. */
export type Variable = ValidatorSpec<unknown> & {
  /** Set if the value must never be printed, even if it is invalid. */
  isSecret?: boolean;
  /** Set if a separate process does not start without the variable. The all-in-one process generates the value. */
  isRequired?: boolean;
  /** Variables that must be set if this variable is set. */
  requires?: readonly string[];
  /** The name in the previous release. It is read if the current name is not set. */
  formerly?: string;
  /**
   * Checks a value that has a syntax defined in another module. Throws an Error with the allowed values. It is called only if the variable has a
   * value.
   */
  check?(value: string): unknown;
};

export type Variables = Readonly<Record<string, Variable>>;

/** The parsed values, one per variable. */
export type Config<V> = { readonly [K in keyof V]: V[K] extends { _parse(input: string): infer T } ? T : never };

export const PROCESS_VARIABLES = {
  GRPC_PORT: port({
    default: 50051,
    desc: 'Port of a service that runs in its own process; 0 = a free port, printed when ready.',
  }),
  GRPC_HOST: host({ default: '127.0.0.1', desc: 'The address that a service listens on.' }),
  METRICS_PORT: port({
    default: 9464,
    desc: 'Port of `GET /metrics` on GRPC_HOST, for a private network; 0 = disabled.',
  }),
  INTERNAL_KEY: {
    ...internalKey({
      default: '',
      desc: 'Signs calls between services and hosted approval links; the same for all services. Generated in all-in-one, required otherwise.',
    }),
    isSecret: true,
    isRequired: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl({
    default: '',
    desc: 'OpenTelemetry collector for traces and metrics (OTLP over HTTP), such as http://collector:4318. Default: none.',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    desc: 'Minimum level of log lines. Logs are JSON lines, or formatted text on a terminal.',
  }),
} satisfies Variables;

/** The address of the gateway. Services that create links, or that must not send requests to the gateway, read it too. */
export const GATEWAY_VARIABLES = {
  PORT: port({ default: 8080, desc: 'Port of the gateway; 0 = a free port, printed when ready.' }),
  HOST: host({ default: '127.0.0.1', desc: 'The address that the gateway listens on.' }),
  BASE_URL: baseUrl({
    default: '',
    desc: 'Public URL of the gateway for callers and browsers. Default: http://HOST:PORT.',
  }),
} satisfies Variables;

/** Returns the address variables of these services, such as `MEMBERS_ADDR`. */
export function addressVariables(services: readonly ServiceName[]): Record<string, ReturnType<typeof target>> {
  return Object.fromEntries(services.map((service) => [addressVariable(service), address(service)]));
}

export function addressVariable(service: ServiceName): string {
  return `${service.toUpperCase()}_ADDR`;
}

function address(service: ServiceName): ReturnType<typeof target> {
  return target({
    default: `dns:///${service}:50051`,
    desc: `Address of ${service}; \`ipv4:a:p,b:p\` for several replicas.`,
  });
}

/** Returns the public URL of the gateway: BASE_URL, or a URL from HOST and PORT if BASE_URL is not set. */
export function gatewayUrl({ BASE_URL, HOST, PORT }: Config<typeof GATEWAY_VARIABLES>): string {
  return BASE_URL || `http://${reachable(HOST)}:${PORT}`;
}

/** A browser cannot open a wildcard address, and an IPv6 address needs brackets in a URL. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

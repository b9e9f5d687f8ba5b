import { type ServiceName } from '@drawbridge/contracts';
import { str, type ValidatorSpec } from 'envalid';
import { baseUrl, host, internalKey, port, target } from './config-values.js';

/** One environment variable: how envalid reads it, its default, its meaning, and what our own reading adds. */
export type Variable = ValidatorSpec<unknown> & {
  /** Its value is never shown, not even when it is wrong. */
  isSecret?: boolean;
  /** A process of its own does not start without it; all-in-one makes it. */
  isRequired?: boolean;
  /** Variables that must be set when this one is. */
  requires?: readonly string[];
  /** Its name in the release before, which is read where the name itself is not set. */
  formerly?: string;
  /** A grammar that lives with who reads it: throws an Error that says what is allowed. Asked when there is a value. */
  check?(value: string): unknown;
};

export type Variables = Readonly<Record<string, Variable>>;

/** What was read: a value for each variable. */
export type Config<V> = { readonly [K in keyof V]: V[K] extends { _parse(input: string): infer T } ? T : never };

/** What every process reads. */
export const PROCESS_VARIABLES = {
  GRPC_PORT: port({
    default: 50051,
    desc: 'Where a service listens when it is its own process; 0 = a free port, printed at ready.',
  }),
  GRPC_HOST: host({ default: '127.0.0.1', desc: 'The address that a service listens on.' }),
  METRICS_PORT: port({
    default: 9464,
    desc: 'Where `GET /metrics` is answered, for a private network: on GRPC_HOST; 0 = nowhere.',
  }),
  INTERNAL_KEY: {
    ...internalKey({
      default: '',
      desc: 'Signs who calls between services, and the links that approvals are decided by: the same for all. Generated in all-in-one, required otherwise.',
    }),
    isSecret: true,
    isRequired: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl({
    default: '',
    desc: 'OpenTelemetry collector that gets traces and metrics by OTLP over HTTP, such as http://collector:4318. Default: none.',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    desc: 'JSON lines; pretty on a terminal.',
  }),
} satisfies Variables;

/** Where the gateway is reached: services that make links, or that must not call it, read this too. */
export const GATEWAY_VARIABLES = {
  PORT: port({ default: 8080, desc: 'Where the gateway listens; 0 = a free port, printed at ready.' }),
  HOST: host({ default: '127.0.0.1', desc: 'The address that the gateway listens on.' }),
  BASE_URL: baseUrl({ default: '', desc: 'How callers and browsers reach the gateway. Default: http://HOST:PORT.' }),
} satisfies Variables;

/** Where these services are: `MEMBERS_ADDR` and its like. */
export function addressVariables(services: readonly ServiceName[]): Record<string, ReturnType<typeof target>> {
  return Object.fromEntries(services.map((service) => [addressVariable(service), address(service)]));
}

export function addressVariable(service: ServiceName): string {
  return `${service.toUpperCase()}_ADDR`;
}

function address(service: ServiceName): ReturnType<typeof target> {
  return target({
    default: `dns:///${service}:50051`,
    desc: `Where ${service} listens; \`ipv4:a:p,b:p\` for several replicas.`,
  });
}

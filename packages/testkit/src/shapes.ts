import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type ServiceName, SERVICES } from '@drawbridge/contracts';
import { baseEnv, cliCommand, type Command, freePort, serviceCommand } from './child.js';

/** One process with the in-process bus, one process with Kafka, or one process per service with Kafka and gRPC. */
export const SHAPES = ['local', 'kafka', 'processes'] as const;
export type Shape = (typeof SHAPES)[number];

export type Replicas = Partial<Record<ServiceName, number>>;

/** A build to run instead of the build of this workspace. */
export interface Built {
  /** The folder of the services, for the shape `processes`. */
  services?: string;
  /** The folder of the first replica of each service, if it runs another build than the other replicas. */
  firstReplicas?: string;
  /** The all-in-one file, for the other shapes. */
  cli?: string;
}

export interface LayoutOptions extends Built {
  /** Only for the shape `processes`. */
  replicas?: Replicas;
}

export interface Layout {
  /** The commands in the order in which they must be started. */
  commands: Command[];
  /** One URL per gateway. */
  baseUrls: string[];
}

/** Returns the processes of a shape. All of them receive `env`. */
export async function layout(shape: Shape, env: Record<string, string>, options: LayoutOptions): Promise<Layout> {
  return shape === 'processes' ? separate(env, options) : together(env, options);
}

/** Returns new secrets for a product. Separate processes must share them. */
export function secrets(): Record<string, string> {
  return {
    INTERNAL_KEY: randomBytes(32).toString('hex'),
    MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    BOOTSTRAP_API_KEY: `svc_${randomBytes(23).toString('hex')}`,
  };
}

async function together(env: Record<string, string>, { cli }: Built): Promise<Layout> {
  const port = await freePort();
  const command: Command = {
    name: 'drawbridge',
    command: cliCommand(['start'], cli),
    env: { ...baseEnv(), ...compiled(cli), ...named('drawbridge'), ...env, PORT: String(port) },
    readyWhen: /Drawbridge is ready/,
  };
  return { commands: [command], baseUrls: [`http://127.0.0.1:${port}`] };
}

async function separate(
  env: Record<string, string>,
  { replicas = {}, services, firstReplicas = services }: LayoutOptions,
): Promise<Layout> {
  const instances = await Promise.all(SERVICES.flatMap((service) => instancesOf(service, replicas)));
  const addresses = Object.fromEntries(
    SERVICES.map((service) => [addressVariable(service), addressOf(service, instances)]),
  );
  const shared = { ...baseEnv(), ...compiled(services), ...addresses, ...env };
  const commands = instances.map(({ name, service, port, replica }) => ({
    name,
    command: serviceCommand(service, replica === 0 ? firstReplicas : services),
    env: { ...named(name), ...shared, [service === 'gateway' ? 'PORT' : 'GRPC_PORT']: String(port) },
    readyWhen: /"msg":"ready"/,
  }));
  const gateways = instances.filter(({ service }) => service === 'gateway');
  return { commands, baseUrls: gateways.map(({ port }) => `http://127.0.0.1:${port}`) };
}

/** Keeps the compiled code of a build beside it, so that later starts need a fifth less processor time. Node.js 20 ignores the variable. */
const compiled = (build: string | undefined): Record<string, string> =>
  build ? { NODE_COMPILE_CACHE: join(dirname(build), 'compiled') } : {};

/** Sets the application name of database connections, so that a test can identify the service of a waiting statement. */
const named = (name: string): Record<string, string> => ({ PGAPPNAME: name });

interface Instance {
  name: string;
  service: ServiceName;
  replica: number;
  port: number;
}

function instancesOf(service: ServiceName, replicas: Replicas): Promise<Instance>[] {
  const count = replicas[service] ?? 1;
  return Array.from({ length: count }, async (_, index) => {
    const name = count === 1 ? service : `${service}-${index + 1}`;
    return { name, service, replica: index, port: await freePort() };
  });
}

const addressVariable = (service: ServiceName): string => `${service.toUpperCase()}_ADDR`;

function addressOf(service: ServiceName, instances: Instance[]): string {
  const own = instances.filter((instance) => instance.service === service);
  return `ipv4:${own.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
}

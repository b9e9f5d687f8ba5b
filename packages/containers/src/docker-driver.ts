import { randomUUID } from 'node:crypto';
import { PassThrough, type Duplex } from 'node:stream';
import Docker from 'dockerode';
import { INSTANCE_LABEL, sandboxSettings, SUPERVISOR } from './docker-settings.js';
import type { ContainerSpec, Driver, EndReason, SandboxContainer } from './driver.js';
import { type EgressLink, EgressNetworks, ROLE_LABEL } from './egress-networks.js';
import { explainEngineError, ignoreMissing, toConnection } from './engine.js';
import { isAbandoned, OWNER_LABEL } from './owner.js';

export interface DockerOptions {
  /** The value of DOCKER_HOST. Default: the socket /var/run/docker.sock. */
  host?: string | undefined;
  /** The value of DOCKER_CERT_PATH: the folder that contains ca.pem, cert.pem and key.pem for an engine with TLS. */
  certificates?: string | undefined;
  /** The value of SANDBOX_IMAGE, see deploy/sandbox. */
  image: string;
  /**
   * The name of the installation, unique among all installations that use the engine. A process removes the containers of other processes of its
   * installation that have exited.
   */
  instance: string;
  /** The OCI runtime, such as runsc for gVisor. Default: that of the engine. */
  runtime?: string | undefined;
  egress: {
    /** The Docker network with external access, which only the proxy joins. */
    network: string;
    /** The variables of packages/egress, as configured for this process. */
    env: Record<string, string>;
  };
}

const MAX_ERROR_BYTES = 4_096;
/** Exit codes above this number stand for a signal. */
const SIGNALS = 128;

/** Runs containers on a Docker engine. Creates nothing before the first start. */
export function dockerDriver(options: DockerOptions): Driver {
  const docker = new Docker(toConnection(options.host, options.certificates));
  const known = new Set<string>();
  const removals = new Set<Promise<void>>();
  const networks = new EgressNetworks(docker, options);
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explainEngineError(error, options.image);
    });
  const removeOrphans = async (): Promise<void> => {
    await removeUnknown(docker, options.instance, known);
    await networks.removeUnknown();
  };
  const removeOwn = async (): Promise<void> => {
    // Waits for removals, because the engine rejects a second concurrent removal of a container.
    await Promise.allSettled(removals);
    await removeUnknown(docker, options.instance, known);
    await networks.close();
  };

  return {
    start: (spec) => explained(startContainer(spec, { docker, options, known, removals, networks })),
    // The settings of each container isolate it, and nothing else can remove them.
    requireIsolation: async () => undefined,
    removeOrphans: () => explained(removeOrphans()),
    async close() {
      known.clear();
      await explained(removeOwn());
    },
  };
}

interface Parts {
  docker: Docker;
  options: DockerOptions;
  known: Set<string>;
  /** Current removals. `close` waits for them. */
  removals: Set<Promise<void>>;
  networks: EgressNetworks;
}

async function startContainer(spec: ContainerSpec, parts: Parts): Promise<SandboxContainer> {
  const { docker, options, known, removals, networks } = parts;
  const name = `drawbridge-sandbox-${randomUUID()}`;
  known.add(name);
  let link: EgressLink | undefined;
  let container: Docker.Container | undefined;
  const removeNow = async (): Promise<void> => {
    known.delete(name); // Must come first, so that the next sweep repeats a removal that fails.
    await container?.remove({ force: true, v: true }).catch(ignoreMissing);
    await link?.remove();
  };
  const remove = (): Promise<void> => {
    const removal = removeNow().finally(() => removals.delete(removal));
    removals.add(removal);
    return removal;
  };
  try {
    link = spec.network ? await networks.open(name) : undefined;
    const { image, instance, runtime } = options;
    const command = [...SUPERVISOR, spec.language];
    const place = { network: link?.network ?? 'none', env: link?.env ?? {} };
    container = await docker.createContainer(sandboxSettings({ name, image, instance, runtime, command, ...place }));
    const streams = await attach(docker, container);
    await container.start();
    return { name, ...streams, endReason: () => endReason(container), remove };
  } catch (error) {
    await remove().catch(() => undefined);
    throw error;
  }
}

/** Connects to the container's input and output. Call it before the container is started, so that no byte of the output is lost. */
async function attach(
  docker: Docker,
  container: Docker.Container,
): Promise<Pick<SandboxContainer, 'input' | 'output'>> {
  const options = { stream: true, hijack: true, stdin: true, stdout: true, stderr: true };
  // The type does not declare that a hijacked connection is a duplex stream.
  const stream = (await container.attach(options)) as Duplex;
  const output = new PassThrough();
  const errors = new PassThrough();
  let left = MAX_ERROR_BYTES;
  errors.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stream.end();
  });
  docker.modem.demuxStream(stream, output, errors);
  const end = (): void => void output.end();
  stream.on('end', end).on('close', end).on('error', end);
  return { input: stream, output };
}

/** An exit by a signal has an unknown reason, because code cannot kill the process with id 1: an operator or the engine did. */
async function endReason(container: Docker.Container | undefined): Promise<EndReason> {
  const { State } = (await container?.inspect().catch(() => undefined)) ?? {};
  if (State?.OOMKilled) return 'out_of_memory';
  const isOwnExit = State?.Running === false && State.ExitCode > 0 && State.ExitCode < SIGNALS;
  return isOwnExit ? 'exited' : 'unknown';
}

/** Selects containers by label, so that containers of an earlier process are found. EgressNetworks removes the containers of egress proxies. */
async function removeUnknown(docker: Docker, instance: string, known: Set<string>): Promise<void> {
  const filters = { label: [`${INSTANCE_LABEL}=${instance}`] };
  const found = await docker.listContainers({ all: true, filters });
  const orphans = found.filter(({ Names, Labels, Created }) => {
    const isKnown = Names.some((name) => known.has(name.slice(1))) || Labels[ROLE_LABEL] !== undefined;
    return !isKnown && isAbandoned({ owner: Labels[OWNER_LABEL] ?? '', createdAt: Created * 1000 });
  });
  await Promise.all(
    orphans.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true }).catch(ignoreMissing)),
  );
}

import Docker from 'dockerode';
import { hasDocker, startDocker } from '@drawbridge/testkit';
import { type Containers, createContainers } from '../containers.js';
import { dockerDriver } from '../docker-driver.js';
import type { RunRequest } from '../run.js';
import { memoryMount } from './memory-mounts.js';

/** Skips tests if there is no Docker engine, unless REQUIRE contains `docker`. */
export const describeWithDocker =
  hasDocker() || (process.env['REQUIRE'] ?? '').split(',').includes('docker') ? describe : describe.skip;

export const IMAGE = 'drawbridge-sandbox';

export interface Engine {
  host: string;
  docker: Docker;
  containers(instance: string, more?: { egressNetwork?: string; egressEnv?: Record<string, string> }): Containers;
  /** Returns the names of all containers, including stopped containers. */
  names(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts an engine for one test file. */
export async function startEngine(): Promise<Engine> {
  const { host, stop } = await startDocker();
  const docker = new Docker({ socketPath: host.slice('unix://'.length) });
  const opened: Containers[] = [];
  return {
    host,
    docker,
    containers(instance, { egressNetwork = 'none', egressEnv = {} } = {}) {
      const egress = { network: egressNetwork, env: egressEnv };
      const containers = createContainers({
        driver: dockerDriver({ host, image: IMAGE, instance, egress }),
        warm: { javascript: 0, python: 0, shell: 0 },
      });
      opened.push(containers);
      return containers;
    },
    async names() {
      const found = await docker.listContainers({ all: true });
      return found.flatMap(({ Names }) => Names.map((name) => name.slice(1)));
    },
    async stop() {
      await Promise.all(opened.map((containers) => containers.close()));
      await stop();
    },
  };
}

type PartOfRequest = Omit<Partial<RunRequest>, 'mount'> & { mount?: { key: string } | 'none' };

/** Returns a request with defaults: Shell, 10 seconds, no network, no mount. */
export function request({ mount = 'none', ...part }: PartOfRequest): RunRequest {
  const limits = { input: {}, timeoutSeconds: 10, network: false };
  const files = mount === 'none' ? mount : memoryMount(mount.key);
  return { language: 'shell', code: '', ...limits, mount: files, persistence: 'ephemeral', ...part };
}

/** Polls until the check returns true. */
export async function until(check: () => Promise<boolean>, ms = 10_000): Promise<void> {
  for (const giveUpAt = Date.now() + ms; !(await check());) {
    if (Date.now() > giveUpAt) throw new Error(`The check did not pass within ${ms} ms`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

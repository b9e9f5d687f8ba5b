import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { ContainerError, detailOf } from './container-error.js';
import type { DockerOptions } from './docker-driver.js';
import { INSTANCE_LABEL, proxySettings } from './docker-settings.js';
import { ignoreMissing } from './engine.js';
import { isAbandoned, OWNER, OWNER_LABEL } from './owner.js';
import { PROXY_PORT, subnetOf, SUBNETS } from './sandbox-range.js';

export interface EgressLink {
  network: string;
  /** Variables that configure programs to use the proxy. */
  env: Record<string, string>;
  remove(): Promise<void>;
}

export const ROLE_LABEL = 'drawbridge.sandbox.role';
const PROXY = ['node', '/opt/drawbridge/egress-proxy.mjs'];
const READY_MS = 15_000;
const ATTEMPTS = 5;

/**
 * Creates a separate network for each run with network access. It contains only the run's container and the egress proxy: no route to other networks,
 * no address of the host, no other run. The runs share the proxy container, which is started by the first run that needs it. If the proxy does not
 * run, the run does not start.
 */
export class EgressNetworks {
  readonly #known = new Set<string>();
  #proxy: Promise<Docker.Container> | undefined;

  constructor(
    private readonly docker: Docker,
    private readonly options: DockerOptions,
  ) {}

  async open(name: string): Promise<EgressLink> {
    this.#known.add(name);
    try {
      const proxy = await this.#runningProxy();
      const network = await this.#create(name);
      const remove = async (): Promise<void> => {
        this.#known.delete(name);
        await network.disconnect({ Container: proxy.id, Force: true }).catch(() => undefined);
        await network.remove().catch(ignoreMissing);
      };
      try {
        await network.connect({ Container: proxy.id });
        const { NetworkSettings } = await proxy.inspect();
        const address = NetworkSettings.Networks[name]?.IPAddress;
        if (!address) throw unavailable('it has no address on the network of the run');
        return { network: name, env: proxyVariables(`http://${address}:${PROXY_PORT}`), remove };
      } catch (error) {
        await remove();
        throw error;
      }
    } catch (error) {
      this.#known.delete(name);
      throw error;
    }
  }

  /** Removes networks and proxies of processes that have exited. */
  async removeUnknown(): Promise<void> {
    const label = [`${INSTANCE_LABEL}=${this.options.instance}`];
    const proxies = await this.docker.listContainers({
      all: true,
      filters: { label: [...label, `${ROLE_LABEL}=egress`] },
    });
    const own = (await this.#proxy?.catch(() => undefined))?.id;
    const orphans = proxies.filter(
      ({ Id, Labels, Created }) =>
        Id !== own && isAbandoned({ owner: Labels[OWNER_LABEL] ?? '', createdAt: Created * 1000 }),
    );
    await Promise.all(
      orphans.map(({ Id }) => this.docker.getContainer(Id).remove({ force: true }).catch(ignoreMissing)),
    );
    const networks = await this.docker.listNetworks({ filters: { label } });
    const unknown = networks.filter(
      ({ Name, Labels = {}, Created }) =>
        !this.#known.has(Name) && isAbandoned({ owner: Labels[OWNER_LABEL] ?? '', createdAt: Date.parse(Created) }),
    );
    for (const { Id } of unknown) await this.#removeNetwork(Id);
  }

  async close(): Promise<void> {
    this.#proxy = undefined;
    this.#known.clear();
    await this.removeUnknown();
  }

  async #removeNetwork(id: string): Promise<void> {
    const network = this.docker.getNetwork(id);
    const found = await network.inspect().catch(() => undefined);
    for (const member of Object.keys(found?.Containers ?? {})) {
      await network.disconnect({ Container: member, Force: true }).catch(() => undefined);
    }
    await network.remove().catch(ignoreMissing);
  }

  /** Creates a network with a random subnet, because several processes share the engine and do not know each other's subnets. */
  async #create(name: string): Promise<Docker.Network> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.docker.createNetwork({
          Name: name,
          Driver: 'bridge',
          Internal: true,
          EnableIPv6: false,
          IPAM: { Driver: 'default', Config: [{ Subnet: subnetOf(randomInt(SUBNETS)) }] },
          // The bridge has no address, so that no port of the host is reachable through it.
          Options: { 'com.docker.network.bridge.inhibit_ipv4': 'true' },
          Labels: { [INSTANCE_LABEL]: this.options.instance, [OWNER_LABEL]: OWNER },
        });
      } catch (error) {
        const isTaken = /overlaps/i.test(detailOf(error, 'message'));
        if (!isTaken || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #runningProxy(): Promise<Docker.Container> {
    const current = this.#proxy;
    if (current) {
      const proxy = await current;
      const { State } = await proxy.inspect().catch(() => ({ State: { Running: false } }));
      if (State.Running) return proxy;
      // Another run may already have replaced the proxy.
      if (this.#proxy === current) this.#proxy = undefined;
    }
    this.#proxy ??= this.#startProxy().catch((error: unknown) => {
      this.#proxy = undefined;
      throw error;
    });
    return this.#proxy;
  }

  async #startProxy(): Promise<Docker.Container> {
    const { image, instance, egress } = this.options;
    const settings = { name: `drawbridge-egress-${randomUUID()}`, image, instance, command: PROXY };
    const created = proxySettings({ ...settings, network: egress.network, env: egress.env });
    const Labels = { ...created.Labels, [ROLE_LABEL]: 'egress' };
    const proxy = await this.docker.createContainer({ ...created, Labels });
    try {
      await proxy.start();
      await untilReady(proxy);
      return proxy;
    } catch (error) {
      await proxy.remove({ force: true }).catch(() => undefined);
      throw error;
    }
  }
}

async function untilReady(proxy: Docker.Container): Promise<void> {
  for (const giveUpAt = Date.now() + READY_MS; Date.now() < giveUpAt; await sleep(50)) {
    const log = (await proxy.logs({ stdout: true, stderr: true, tail: 5 })).toString();
    if (log.includes('egress proxy ready')) return;
    const { State } = await proxy.inspect();
    if (!State.Running) throw unavailable(`its process ended with ${State.ExitCode}`);
  }
  throw unavailable(`it is not ready after ${READY_MS / 1000} s`);
}

function unavailable(reason: string): ContainerError {
  return new ContainerError(
    'NETWORK_UNAVAILABLE',
    `The code may use the network, but the egress proxy does not run: ${reason}. The code was not started. Read the logs of the drawbridge-egress container.`,
  );
}

function proxyVariables(proxy: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return Object.fromEntries(names.map((name) => [name, proxy]));
}

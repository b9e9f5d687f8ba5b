import type { Readable, Writable } from 'node:stream';

export const LANGUAGES = ['javascript', 'python', 'shell'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface ContainerSpec {
  /** The interpreter that is started before a request arrives. */
  language: Language;
  /** Connects the container to the egress proxy. If false, the container has no network. */
  network: boolean;
}

/**
 * `exited`: code ended the supervisor. `unknown`: the connection was lost and the supervisor exited, or the reason cannot be read. The code ran up to
 * an unknown point.
 */
export type EndReason = 'out_of_memory' | 'exited' | 'unknown';

/** An isolated environment. Its process with id 1 is deploy/sandbox/supervisor.py. */
export interface SandboxContainer {
  name: string;
  input: Writable;
  /** Standard output of the supervisor. It ends when the container exits or the connection to it is lost. */
  output: Readable;
  /** Returns why the container exited. Called only after its output ended during a run. */
  endReason(): Promise<EndReason>;
  /** Kills and removes the container. It can be called repeatedly. */
  remove(): Promise<void>;
}

/** Creates containers with every limit of limits.ts, on a Docker engine or as Kubernetes Jobs. */
export interface Driver {
  /** Rejects with ENGINE_UNAVAILABLE, IMAGE_MISSING or NETWORK_UNAVAILABLE. */
  start(spec: ContainerSpec): Promise<SandboxContainer>;
  /** Rejects with NETWORK_UNAVAILABLE if containers are not isolated. Call it before each run, also in a container that has already started. */
  requireIsolation(): Promise<void>;
  /** Removes the containers of processes of the same instance that have exited, and containers that this process no longer uses. */
  removeOrphans(): Promise<void>;
  /** Removes all containers of this process. */
  close(): Promise<void>;
}

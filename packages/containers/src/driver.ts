import type { Readable, Writable } from 'node:stream';

export const LANGUAGES = ['javascript', 'python', 'shell'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface ContainerSpec {
  /** The interpreter that is started before a request arrives. */
  language: Language;
  /** Gives the container a path to the egress proxy. Without it the container has no network. */
  network: boolean;
}

/** An isolated environment. Its process 1 is deploy/sandbox/supervisor.py. */
export interface SandboxContainer {
  name: string;
  input: Writable;
  /** Standard output of the supervisor. Ends when the container ends or the connection to it breaks. */
  output: Readable;
  /** Returns whether the container ended because its memory was used up. Asked only after an unexpected end. */
  ranOutOfMemory(): Promise<boolean>;
  /** Kills the container and removes all of it. Repeating it is harmless. */
  remove(): Promise<void>;
}

/** Creates containers with every limit of limits.ts: on a Docker engine or as Kubernetes Jobs. */
export interface Driver {
  /** Rejects with ENGINE_UNAVAILABLE, IMAGE_MISSING or NETWORK_UNAVAILABLE. */
  start(spec: ContainerSpec): Promise<SandboxContainer>;
  /** Removes what ended processes of the same instance left, and whatever this process no longer knows. Returns how many. */
  removeOrphans(): Promise<number>;
  /** Removes everything of this process. */
  close(): Promise<void>;
}

import type { HostFunction } from './host-calls.js';
import type { JsonValue } from './json.js';
import type { Limits } from './limits.js';
import type { ConsoleLine, Used } from './messages.js';
import type { PendingCall } from './snapshot.js';
import type { VmImage } from './vm.js';

export interface ResumeRequest {
  /**
   * The functions that the code can call. A name with dots is a function of nested objects; `svc.*` is every name below `svc`. `fetch` gets a URL and
   * its options, and answers `{status, statusText, headers, body}` with lower-case header names; the code gets an object like a Response.
   */
  functions?: Readonly<Record<string, HostFunction>>;
  limits?: Partial<Limits>;
  /** Receives each console line at once. */
  onConsole?(line: ConsoleLine): void;
  signal?: AbortSignal;
  /** The clock of the code. It is read at the start and at each answer of a function, and stands still in between. */
  now?: () => number;
}

export interface RunRequest extends ResumeRequest {
  /** JavaScript or TypeScript: the body of an async function with the parameter `input`. */
  code: string;
  input?: JsonValue;
}

/** A request with its defaults filled in. */
export interface RunOptions {
  organization: string;
  caller: string;
  functions: Readonly<Record<string, HostFunction>>;
  limits: Limits;
  now: () => number;
  onConsole?: (line: ConsoleLine) => void;
  engine: string;
}

/** A run starts from code, or from the VM of a paused run. */
export type Source = { code: string; input: string } | { image: VmImage; used: Used; pending: readonly PendingCall[] };

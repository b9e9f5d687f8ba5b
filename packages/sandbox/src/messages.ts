import type { CodeError } from './code-error.js';
import type { Limits } from './limits.js';
import type { VmImage } from './vm.js';

export const CONSOLE_LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;

export interface ConsoleLine {
  level: (typeof CONSOLE_LEVELS)[number];
  text: string;
}

/** The part of its limits that a run has used. A run that continues in another thread or process starts with these values. */
export interface Used {
  cpuMs: number;
  calls: number;
  consoleBytes: number;
  consoleLines: number;
}

export const NOT_USED: Readonly<Used> = { cpuMs: 0, calls: 0, consoleBytes: 0, consoleLines: 0 };

export interface Answer {
  id: string;
  isError: boolean;
  json?: string;
}

/** A message to a worker. `now` is the time that the code reads until the next message. */
export type Order =
  | { type: 'start'; code: string; input: string; functions: readonly string[]; limits: Limits; now: number }
  | { type: 'resume'; image: VmImage; pending: ReadonlyMap<string, number>; used: Used; limits: Limits }
  | { type: 'answer'; answer: Answer; now: number }
  | { type: 'park' }
  | { type: 'drop' };

/** A message from a worker. It sends one `waiting` or `ended` after each start and each answer. */
export type Report =
  | { type: 'ready' }
  | { type: 'call'; id: string; name: string; args: string }
  | { type: 'log'; line: ConsoleLine }
  | { type: 'waiting'; used: Used }
  | { type: 'ended'; result?: string; error?: CodeError; used: Used; isDamaged: boolean }
  | { type: 'parked'; image: VmImage };

export interface WorkerData {
  module: WebAssembly.Module;
}

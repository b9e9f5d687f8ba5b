import { type Drawbridge } from '../client.js';
import { type Flags, type FlagSpec } from './flags.js';
import { type Output } from './output.js';

/** A command of the program. */
export interface Command {
  /** One or two words: `login`, `triggers list`. */
  name: string;
  /** The arguments, as the help shows them: `<integration>[.<action>] [fields]`. */
  usage: string;
  summary: string;
  flags: readonly FlagSpec[];
  /** Further lines of the help. */
  notes?: readonly string[];
  /** Whether the command reads its flags and shows its help itself, because they depend on its first argument. */
  readsFlags?: boolean;
  /** Runs the command. Rejects with UsageError for wrong arguments, and with another error if it fails. */
  run(call: Call): Promise<void>;
}

/** The input of a command. */
export interface Call {
  command: Command;
  /** The arguments after the name of the command. */
  args: readonly string[];
  flags: Flags;
  output: Output;
  env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl+C, when the program is asked to end, and when its output can no longer be written. */
  signal: AbortSignal;
  /** Returns a client of the instance that the settings name. Rejects if they name none or the address is not safe. */
  client(): Promise<Drawbridge>;
}

/** The arguments are wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The output can no longer be written. If its reader ended, as `head` does, that is no failure: exit code 0. */
export class UnreadError extends Error {
  override readonly name = 'UnreadError';
}

/** The person or the system ended the program: exit code 130. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

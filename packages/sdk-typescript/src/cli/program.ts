import { ApiError } from '../api-error.js';
import { Drawbridge } from '../client.js';
import { type Call, type Command, InterruptedError, UnreadError, UsageError } from './command.js';
import { connect } from './connect.js';
import { isSet, readFlags } from './flags.js';
import { generateTypes } from './generate-types.js';
import { EVERYWHERE, helpOfCommand, helpOfProgram } from './help.js';
import { listen } from './listen.js';
import { login, logout } from './login.js';
import { logs } from './logs.js';
import { mcpAdd } from './mcp-add.js';
import { Output } from './output.js';
import { run } from './run.js';
import { readSettings } from './settings.js';
import { suggestion } from './suggest.js';
import { listTriggers } from './triggers.js';
import { version } from './version.js';

const COMMANDS: readonly Command[] = [login, logout, run, connect, logs, listTriggers, listen, mcpAdd, generateTypes];

const CLEANUP_MS = 30_000;

/** Runs the program. Returns its exit code: 0 for success, 1 for a failure, 2 for wrong arguments, 130 if interrupted. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const { stdout, stderr, env } = process;
  const output = new Output({ stdout, stderr, env, isJson: isGiven(args, '--json') });
  const end = new AbortController();
  const interrupt = (): void => end.abort(new InterruptedError('Interrupted'));
  // A second signal ends the program immediately, because the handler runs only once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  endWithOutput(end);
  try {
    await dispatch(args, output, end.signal);
    return 0;
  } catch (error) {
    if (end.signal.reason instanceof UnreadError) return 0;
    return end.signal.aborted || error instanceof InterruptedError ? 130 : report(error, output);
  }
}

/**
 * Ends the command when its output can no longer be written: the reader of a pipe may end first, as `head` does. The command still does what it must
 * do at its end, for example disable a trigger, but not for longer than `CLEANUP_MS`.
 */
function endWithOutput(end: AbortController): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1;
      if (end.signal.aborted) return;
      end.abort(new UnreadError(`The output cannot be written: ${error.message}`));
      setTimeout(() => process.exit(), CLEANUP_MS).unref();
    });
  }
}

/** Searches for a flag before the arguments are parsed, because flags in front of it may be unknown until the action is known. */
const isGiven = (args: readonly string[], flag: string): boolean =>
  args.includes(flag) || args.includes(`${flag}=true`);

async function dispatch(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  if (args.length === 0) throw new UsageError(helpOfProgram(COMMANDS));
  if (args[0] === '--version') return output.print({ version: version() }, version());
  if (args[0] === '--help' || args[0] === '-h')
    return output.print({ help: helpOfProgram(COMMANDS) }, helpOfProgram(COMMANDS));
  const command = commandOf(args);
  const rest = args.slice(command.name.split(' ').length);
  const specs = [...command.flags, ...EVERYWHERE];
  const { readsFlags: isUntilFirst = false } = command;
  const { positionals, flags } = readFlags(rest, specs, { isUntilFirst });
  const call: Call = {
    command,
    args: isUntilFirst ? rest : positionals,
    flags,
    output,
    env: process.env,
    signal,
    client: async () => clientOf(isGiven(args, '--insecure')),
  };
  if (isSet(flags, 'help') && !isUntilFirst)
    return output.print({ help: helpOfCommand(command) }, helpOfCommand(command));
  await command.run(call);
}

/** Returns the command of the first one or two words. Throws UsageError with the nearest one. */
function commandOf(args: readonly string[]): Command {
  const [first = '', second = ''] = args;
  const found = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found) return found;
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${first} `));
  const given = isGroup && second !== '' && !second.startsWith('-') ? `${first} ${second}` : first;
  const names = COMMANDS.map(({ name }) => name).filter((name) => !isGroup || name.startsWith(`${first} `));
  if (isGroup && given === first) throw new UsageError(`Name the command: ${names.join(', ')}`);
  const list = 'Run `drawbridge --help` for the list.';
  throw new UsageError(`Unknown command ${given}.${suggestion(given, names) || suggestion(first, names)} ${list}`);
}

async function clientOf(isInsecure: boolean): Promise<Drawbridge> {
  const { url, apiKey } = await readSettings(process.env, isInsecure);
  return new Drawbridge({ baseUrl: url, apiKey });
}

/** Prints an error. Returns its exit code. */
function report(error: unknown, output: Output): number {
  const { message, code, details } = toProblem(error);
  output.error(message);
  if (output.isJson && !output.hasPrinted) output.print({ error: message, ...(code && { code, details }) }, '');
  return error instanceof UsageError ? 2 : 1;
}

function toProblem(error: unknown): { message: string; code?: string; details?: object } {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof UsageError && error.cause instanceof ApiError) return { ...error.cause, message: error.message };
  if (!(error instanceof ApiError)) return { message: error.message };
  const { code, details } = error;
  const { fields = {} } = details as { fields?: Record<string, { message: string }> };
  const problems = Object.entries(fields).map(([field, { message }]) => `\n  ${field}: ${message}`);
  const hint = error.status === 401 ? ' Run `drawbridge login`, or set DRAWBRIDGE_KEY.' : '';
  return { message: `${error.message} (${code})${hint}${problems.join('')}`, code, details };
}

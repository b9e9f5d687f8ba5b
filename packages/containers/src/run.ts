import { Collected } from './collected-output.js';
import { ContainerError } from './container-error.js';
import type { Language, SandboxContainer } from './driver.js';
import {
  type ExitFrame,
  type Frame,
  type FrameLimit,
  ProtocolError,
  readFrames,
  START_CODE,
  toRequestBytes,
} from './frames.js';
import { GRACE_MS, LIMITS, MAX_ANSWER_BYTES, MAX_FRAMES, START_MS } from './limits.js';
import { fromArchive, type Mount, type MountChanges, type MountFiles, toArchive } from './mount-files.js';
import { within } from './within.js';

export interface RunRequest {
  language: Language;
  code: string;
  /** A JSON value. The program reads it from `input` (JavaScript, Python) and from its standard input. */
  input: unknown;
  timeoutSeconds: number;
  /** Allows HTTP and HTTPS through the egress proxy. */
  network: boolean;
  mount: Mount | 'none';
  /**
   * With a `key`, the run reuses the environment (its /tmp) of the last run with the same key, mount and network. Each tenant has a limit of idle
   * environments.
   */
  persistence: { key: string; tenant: string } | 'ephemeral';
  onOutput?: ((chunk: { stream: 'stdout' | 'stderr'; text: string }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface RunResult {
  /**
   * `failed`: the code ended its container, or the container violated its protocol. `unknown`: the connection to the container was lost, so the code
   * ran up to an unknown point.
   */
  outcome: 'exited' | 'timed_out' | 'out_of_memory' | 'failed' | 'unknown';
  stdout: string;
  stderr: string;
  /** Set if output was dropped because it exceeded the limit. */
  truncated: boolean;
  /** Null if a signal or the time limit ended the program. */
  exitCode: number | null;
  durationMs: number;
  changes: MountChanges;
  /** Number of entries of the mount that cannot be stored: links, pipes, and names that are not UTF-8. */
  skipped: number;
}

/** A started container, and the frames that it sends over all its runs. */
export interface Session {
  /** Its `remove` never rejects. A run does not wait for it, because a removal can be slow. */
  container: SandboxContainer;
  frames: AsyncGenerator<Frame>;
  limit: FrameLimit;
}

/** Waits until the supervisor is ready. If it does not become ready, removes the container and throws. */
export async function openSession(container: SandboxContainer): Promise<Session> {
  const limit = { bytesLeft: MAX_ANSWER_BYTES, framesLeft: MAX_FRAMES };
  const frames = readFrames(container.output, limit);
  container.input.on('error', () => undefined); // The end of the output reports the failure.
  try {
    const first = await within(START_MS, frames.next());
    if (typeof first !== 'string' && !first.done && first.value.type === 'ready') return { container, frames, limit };
    throw notStarted();
  } catch (error) {
    void container.remove();
    throw error instanceof ProtocolError ? notStarted(error) : error;
  }
}

/** Runs code in a session. Starts no code if the signal has aborted. The container must be removed after any outcome other than `exited`. */
export async function runIn(session: Session, request: RunRequest, files: MountFiles): Promise<RunResult> {
  const timeoutMs = request.timeoutSeconds * 1000;
  const collect = request.mount !== 'none';
  const { language, code, input } = request;
  const header = { language, code, input: input ?? null, timeoutMs, maxOutputBytes: LIMITS.outputBytes, collect };
  const archive = collect ? await toArchive(files) : Buffer.alloc(0);
  Object.assign(session.limit, { bytesLeft: MAX_ANSWER_BYTES, framesLeft: MAX_FRAMES });
  requireNotCancelled(request.signal); // The start of the container and the reading of the files take time.
  const sentAt = performance.now();
  session.container.input.write(toRequestBytes(header, archive));

  const collected = new Collected(request.onOutput);
  await untilPrepared(session, request.signal);
  requireNotCancelled(request.signal);
  session.container.input.write(START_CODE);
  const startedAt = performance.now();
  const exit = await followed(session, collected, { endAfterMs: timeoutMs + GRACE_MS, signal: request.signal });
  if (exit === 'cancelled') throw cancelled();
  const times = { sinceSentMs: millisecondsSince(sentAt), sinceStartedMs: millisecondsSince(startedAt) };
  return toResult(exit, collected, { session, ...times });
}

export function requireNotCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

function cancelled(): ContainerError {
  return new ContainerError('CANCELLED', 'The run was cancelled.');
}

/** Waits until the mount is unpacked. If this fails, no code of the request has run, because its supervisor waits for START_CODE. */
async function untilPrepared({ frames }: Session, signal: AbortSignal | undefined): Promise<void> {
  const next = await within(START_MS, frames.next(), signal).catch((error: unknown) => {
    throw error instanceof ProtocolError ? notStarted(error) : error;
  });
  if (next === 'cancelled') throw cancelled();
  if (next !== 'late' && !next.done && next.value.type === 'started') return;
  throw notStarted();
}

/** Returns the error for a container that did not start the code in time: the engine stopped it, or is too slow. */
function notStarted(cause?: ProtocolError): ContainerError {
  const message = cause
    ? `${cause.message}. No code has run.`
    : `The container ended before the code started, or it was not ready within ${START_MS / 1000} s. No code has run; try again.`;
  return new ContainerError('ENGINE_UNAVAILABLE', message, { cause });
}

interface Bounds {
  endAfterMs: number;
  signal: AbortSignal | undefined;
}

/** `invalid`: the container violated its protocol. `ended`: its output ended before an exit frame. */
type Ending = ExitFrame | 'late' | 'cancelled' | 'invalid' | 'ended';

async function followed(session: Session, collected: Collected, { endAfterMs, signal }: Bounds): Promise<Ending> {
  const reading = untilExit(session.frames, collected).catch((error: unknown) => {
    if (error instanceof ProtocolError) return 'invalid' as const;
    throw error;
  });
  return within(endAfterMs, reading, signal);
}

async function untilExit(
  frames: AsyncGenerator<Frame>,
  collected: Collected,
): Promise<ExitFrame | 'invalid' | 'ended'> {
  for (;;) {
    const { value, done } = await frames.next();
    if (done) return 'ended';
    if (value.type === 'ready' || value.type === 'started') return 'invalid';
    if (value.type === 'exit') return value.exit;
    collected.take(value.type, value.bytes);
  }
}

const millisecondsSince = (time: number): number => Math.round(performance.now() - time);

interface Ended {
  session: Session;
  sinceSentMs: number;
  sinceStartedMs: number;
}

async function toResult(
  exit: Exclude<Ending, 'cancelled'>,
  collected: Collected,
  { session, sinceSentMs, sinceStartedMs }: Ended,
): Promise<RunResult> {
  const common = { stdout: collected.text('stdout'), stderr: collected.text('stderr') };
  const nothing = { exitCode: null, changes: { written: new Map(), deleted: [] }, skipped: 0 };
  if (typeof exit === 'string') {
    const outcome = await outcomeOf(exit, session);
    return { ...common, ...nothing, outcome, truncated: false, durationMs: sinceStartedMs };
  }
  const { truncated } = exit;
  // The duration that the supervisor reports is exact, but it is limited here, because code that took over the supervisor could send any number.
  const ended = { ...common, truncated, durationMs: Math.max(0, Math.min(exit.durationMs, sinceSentMs)) };
  if (exit.timedOut) return { ...ended, ...nothing, outcome: 'timed_out' };
  if (exit.outOfMemory && exit.status !== 0) return { ...ended, ...nothing, outcome: 'out_of_memory' };
  const written = await fromArchive(Buffer.concat(collected.bytes.files)).catch(() => undefined);
  if (written === undefined) return { ...ended, ...nothing, outcome: 'failed' };
  const deleted = collected.bytes.deleted.map((name) => name.toString());
  const exitCode = exit.status < 0 ? null : exit.status;
  return { ...ended, outcome: 'exited', exitCode, changes: { written, deleted }, skipped: exit.skipped };
}

async function outcomeOf(ending: 'late' | 'invalid' | 'ended', { container }: Session): Promise<RunResult['outcome']> {
  if (ending === 'late') return 'timed_out';
  const reason = ending === 'invalid' ? 'exited' : await container.endReason();
  return reason === 'exited' ? 'failed' : reason;
}

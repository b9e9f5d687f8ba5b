import { JSException } from 'quickjs-wasi';
import { type CodeError, FUNCTION_END, FUNCTION_START, timeout, toCodeError, toSyntaxError } from './code-error.js';
import { JsonLimitError, parseJson, requireJsonLimits } from './json.js';
import type { Limits } from './limits.js';
import { type Answer, CONSOLE_LEVELS, type ConsoleLine, NOT_USED, type Report, type Used } from './messages.js';
import { stripTypes } from './strip-types.js';
import type { Vm, VmHost } from './vm.js';

/** If the code of a run stops without an error and the run has used more than this fraction of its memory limit, it ran out of memory. */
const FULL = 0.9;
const CALL_ID = /^\d{1,9}$/;
const MAX_NAME = 500;
const CONSOLE_FULL = 'The console is full. Further output is dropped.';
const NEVER = 'The code waits for a promise that nothing settles';

/** One run in its worker. Applies the limits to the code, and reports its calls and results. */
export class VmRun implements VmHost {
  private limits: Limits | undefined;
  private used: Used = { ...NOT_USED };
  /** The current calls, with the size of their arguments. */
  private pending: Map<string, number> = new Map();
  private sliceStart = 0;
  private isLate = false;
  private isDamaged = false;
  private end: { result?: string; error?: CodeError } | undefined;
  /** The time that the code reads. It is random while the VM is created, because the engine seeds Math.random with it. */
  private time = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) / 1_000;

  constructor(private readonly report: (report: Report) => void) {}

  begin(limits: Limits, resumed?: { used: Used; pending: ReadonlyMap<string, number> }): void {
    this.limits = limits;
    this.used = { ...(resumed?.used ?? NOT_USED) };
    this.pending = new Map(resumed?.pending);
  }

  start(vm: Vm, order: { code: string; input: string; functions: readonly string[]; now: number }): void {
    this.slice(vm, order.now, () => {
      vm.addFunctions(order.functions);
      this.compile(vm, order.code, order.input);
    });
  }

  answer(vm: Vm, { id, isError, json }: Answer, now: number): void {
    this.slice(vm, now, () => {
      this.pending.delete(id);
      vm.answer(id, isError, json);
    });
  }

  call(id: string, name: string, args: string): string | undefined {
    const refusal = this.refusalOf(id, name, args);
    if (refusal !== undefined) return refusal;
    this.used.calls++;
    this.pending.set(id, args.length);
    this.report({ type: 'call', id, name, args });
    return undefined;
  }

  log(level: string, text: string): string | undefined {
    const limits = this.requireLimits();
    if (this.used.consoleLines > limits.consoleLines) return CONSOLE_FULL;
    const bytes = this.used.consoleBytes + Buffer.byteLength(text);
    const isFull = this.used.consoleLines === limits.consoleLines || bytes > limits.consoleBytes;
    this.report({
      type: 'log',
      line: isFull ? { level: 'warn', text: CONSOLE_FULL } : { level: toLevel(level), text },
    });
    this.used.consoleLines = isFull ? limits.consoleLines + 1 : this.used.consoleLines + 1;
    this.used.consoleBytes = bytes;
    return isFull ? CONSOLE_FULL : undefined;
  }

  done(result: string | undefined): void {
    if (this.end) return;
    const { outputBytes, depth } = this.requireLimits();
    try {
      // The code can call `host` directly with any text. The text is parsed here, because the main thread passes it on unchanged.
      const value = result === undefined ? undefined : parseJson(result, 'The result', { bytes: outputBytes, depth });
      this.end = { result: value === undefined ? undefined : JSON.stringify(value) };
    } catch (error) {
      if (!(error instanceof JsonLimitError)) throw error;
      this.end = { error: { code: 'OUTPUT_TOO_LARGE', message: error.message } };
    }
  }

  fail(error: { name: string; message: string; stack: string }): void {
    this.end ??= { error: toCodeError(error) };
  }

  mustStop(): boolean {
    if (!this.limits || this.isLate) return this.isLate;
    this.isLate = this.used.cpuMs + performance.now() - this.sliceStart > this.limits.cpuMs;
    return this.isLate;
  }

  now(): number {
    return this.time;
  }

  /**
   * Returns the reason why a host call is rejected, or undefined. Also checks the id and the name, because the code can choose them when it calls
   * `host` directly.
   */
  private refusalOf(id: string, name: string, args: string): string | undefined {
    const { calls, concurrentCalls, argumentBytes: bytes, depth } = this.requireLimits();
    if (!CALL_ID.test(id) || this.pending.has(id) || name.length > MAX_NAME) return 'The call is not valid';
    if (this.used.calls >= calls) return `The code has called its functions more than ${calls} times`;
    if (this.pending.size >= concurrentCalls) return `The code has more than ${concurrentCalls} concurrent calls`;
    try {
      requireJsonLimits(args, `The arguments of ${name}`, { bytes, depth });
    } catch (error) {
      return error instanceof Error ? error.message : 'The arguments are not valid';
    }
    const underWay = [...this.pending.values()].reduce((sum, size) => sum + size, args.length);
    return underWay > bytes ? `The arguments of the concurrent calls have more than ${bytes} bytes` : undefined;
  }

  private slice(vm: Vm, now: number, run: () => void): void {
    if (this.end || this.isLate) return;
    this.time = now;
    this.sliceStart = performance.now();
    try {
      run();
    } catch (error) {
      this.end ??= { error: this.toError(error) };
    }
    this.used.cpuMs += performance.now() - this.sliceStart;
    this.settle(vm);
  }

  private settle(vm: Vm): void {
    const { used, isDamaged } = this;
    if (this.isLate) return this.report({ type: 'ended', error: timeout(this.requireLimits().cpuMs), used, isDamaged });
    if (this.end) return this.report({ type: 'ended', ...this.end, used, isDamaged });
    if (this.pending.size > 0) return this.report({ type: 'waiting', used });
    const isFull = vm.usedBytes > this.requireLimits().memoryBytes * FULL;
    const error: CodeError = isFull ? outOfMemory() : { code: 'RUNTIME_ERROR', message: NEVER };
    this.report({ type: 'ended', error, used, isDamaged });
  }

  /** Compiles the code. Removes types only if the code is not JavaScript, because the library for that costs time and memory. */
  private compile(vm: Vm, code: string, input: string): void {
    const program = `${FUNCTION_START}${code}${FUNCTION_END}`;
    try {
      return vm.start(program, input);
    } catch (error) {
      if (!(error instanceof JSException) || error.name !== 'SyntaxError') throw error;
      const stripped = stripTypes(program);
      if ('code' in stripped && stripped.code !== program) return vm.start(stripped.code, input);
      this.isDamaged = 'crashed' in stripped;
      this.end = { error: toSyntaxError('error' in stripped ? stripped.error : toError(error), code) };
    }
  }

  private toError(error: unknown): CodeError {
    if (error instanceof JSException) {
      const found = toError(error);
      return found.name === 'SyntaxError' ? { ...found, code: 'SYNTAX_ERROR' } : found;
    }
    // The engine itself crashed, so its thread is not used again.
    this.isDamaged = true;
    if (error instanceof RangeError)
      return { code: 'RUNTIME_ERROR', name: 'RangeError', message: 'The code has too many nested calls' };
    if (error instanceof Error && error.message === 'wasm_malloc failed') return outOfMemory();
    return { code: 'RUNTIME_ERROR', message: 'The code stopped the engine' };
  }

  private requireLimits(): Limits {
    if (!this.limits) throw new Error('The run has not begun');
    return this.limits;
  }
}

function toError(exception: JSException): CodeError {
  const { name, message, stack } = exception;
  return toCodeError({ name: String(name), message: String(message), stack: String(stack) });
}

function outOfMemory(): CodeError {
  return { code: 'MEMORY_LIMIT', name: 'InternalError', message: 'out of memory' };
}

function toLevel(level: string): ConsoleLine['level'] {
  return CONSOLE_LEVELS.find((known) => known === level) ?? 'log';
}

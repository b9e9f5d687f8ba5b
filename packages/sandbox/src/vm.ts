import { type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { FILE_NAME } from './code-error.js';
import { GUEST_PROGRAM } from './guest-program.js';

/** Maximum stack of the code. It leaves room on the limited stack of the thread for the frames of the WebAssembly runtime. */
const MAX_STACK_BYTES = 256 * 1024;
/** The WASI error number for an unsupported function: the engine cannot write to the output of the process. */
const NOT_SUPPORTED = 52;
/** The enabled features of the engine. This excludes `performance`, which would be a second clock that the host does not control. */
const WITHOUT_PERFORMANCE = 0xffffffff & ~1024;

/** The functions that the guest program returns. */
const PROGRAM_FUNCTIONS = ['start', 'answer', 'addFunction'] as const;
type ProgramFunction = (typeof PROGRAM_FUNCTIONS)[number];

/** Handles the calls of the code to its host. The code can choose all strings. */
export interface VmHost {
  /** Returns a message if the call is rejected. */
  call(id: string, name: string, args: string): string | undefined;
  /** Returns a message if the console is full. */
  log(level: string, text: string): string | undefined;
  done(result: string | undefined): void;
  fail(error: { name: string; message: string; stack: string }): void;
  /** Returns whether the code must stop immediately. */
  mustStop(): boolean;
  /** The time that the code reads, in milliseconds. */
  now(): number;
}

/** The state of a VM in which no code runs, as plain data that another thread or process can restore. */
export interface VmImage {
  memory: Uint8Array;
  /** The addresses that the engine needs to use the memory. */
  stackPointer: number;
  runtimePtr: number;
  contextPtr: number;
  functions: Record<ProgramFunction, number>;
}

export interface VmOptions {
  module: WebAssembly.Module;
  memoryBytes: number;
  host: VmHost;
}

/** One JavaScript VM. It exchanges only strings with the host. */
export class Vm {
  private constructor(
    private readonly engine: QuickJS,
    private readonly functions: Record<ProgramFunction, JSValueHandle>,
    private readonly host: VmHost,
  ) {}

  static async create(options: VmOptions): Promise<Vm> {
    const engine = await QuickJS.create({ ...toEngineOptions(options), intrinsics: WITHOUT_PERFORMANCE });
    const program = engine.evalCode(GUEST_PROGRAM, '<host>');
    const host = engine.newFunction('host', hostFunction(engine, options.host));
    const exported = engine.callFunction(program, engine.undefined, host);
    return new Vm(
      engine,
      toFunctions((name) => exported.getProp(name)),
      options.host,
    );
  }

  static async restore(image: VmImage, options: VmOptions): Promise<Vm> {
    const engine = await QuickJS.restore({ ...image, extensions: [] }, toEngineOptions(options));
    engine.registerHostCallback('host', hostFunction(engine, options.host));
    return new Vm(
      engine,
      toFunctions((name) => engine.importHandle(image.functions[name])),
      options.host,
    );
  }

  /** Changes the limit of a VM that was created before its run was known. The library has no method for this. */
  setMemoryLimit(bytes: number): void {
    this.engine._getExports().qjs_set_memory_limit(bytes);
  }

  addFunctions(names: readonly string[]): void {
    for (const name of names) this.invoke('addFunction', this.engine.newString(name));
  }

  /**
   * Compiles the program, which must be a function expression, and calls it with the input. Throws the engine's error if the code cannot be compiled.
   */
  start(program: string, input: string): void {
    const compiled = this.engine.evalCode(program, FILE_NAME);
    this.invoke('start', compiled, this.engine.newString(input));
    this.runJobs();
  }

  /** Passes the result of a host call to the code, and runs the code until it waits again. */
  answer(id: string, isError: boolean, json: string | undefined): void {
    const value = json === undefined ? this.engine.undefined : this.engine.newString(json);
    this.invoke('answer', this.engine.newString(id), isError ? this.engine.true : this.engine.false, value);
    this.runJobs();
  }

  get usedBytes(): number {
    return this.engine.getMemoryUsage().memoryUsedSize;
  }

  /** Copies the state. Call it only when no code runs in the VM. */
  toImage(): VmImage {
    const { extensions: _none, ...state } = this.engine.snapshot();
    const addresses = PROGRAM_FUNCTIONS.map((name) => [name, this.engine.exportHandle(this.functions[name])]);
    return { ...state, functions: Object.fromEntries(addresses) };
  }

  private invoke(name: ProgramFunction, ...args: JSValueHandle[]): void {
    this.engine.callFunction(this.functions[name], this.engine.undefined, ...args).dispose();
    for (const argument of args) argument.dispose();
  }

  /**
   * Runs the pending jobs of the engine, such as promise callbacks. An exception in a job, for example in a queueMicrotask callback, ends only that
   * job.
   */
  private runJobs(): void {
    for (;;) {
      try {
        this.engine.executePendingJobs();
        return;
      } catch (error) {
        if (this.host.mustStop() || !(error instanceof Error) || !error.message.startsWith('Job execution error'))
          throw error;
      }
    }
  }
}

function toFunctions(read: (name: ProgramFunction) => JSValueHandle): Record<ProgramFunction, JSValueHandle> {
  return { start: read('start'), answer: read('answer'), addFunction: read('addFunction') };
}

function toEngineOptions({ module, memoryBytes, host }: VmOptions) {
  return {
    wasm: module,
    memoryLimit: memoryBytes,
    maxStackSize: MAX_STACK_BYTES,
    timezoneOffset: 0,
    interruptHandler: () => host.mustStop(),
    wasi: (memory: WebAssembly.Memory) => ({
      clock_time_get: (_clock: number, _precision: bigint, result: number) => {
        new DataView(memory.buffer).setBigUint64(result, BigInt(Math.trunc(host.now())) * 1_000_000n, true);
        return 0;
      },
      fd_write: () => NOT_SUPPORTED,
    }),
  };
}

/**
 * Returns the only function that connects a VM with its host. It accepts only strings and never throws an Error, because the engine would copy the
 * stack trace, which contains paths of the host, into the VM.
 */
function hostFunction(engine: QuickJS, host: VmHost) {
  return (...handles: JSValueHandle[]): JSValueHandle => {
    try {
      const [operation = '', a, b, c] = handles.map((handle) => (handle.isString ? handle.toString() : undefined));
      const refusal = dispatch(host, operation, [a, b, c]);
      return refusal === undefined ? engine.undefined : engine.newString(refusal);
    } catch {
      throw 'The host rejected the call';
    }
  };
}

function dispatch(host: VmHost, operation: string, [a, b = '', c = '']: (string | undefined)[]): string | undefined {
  switch (operation) {
    case 'call':
      return host.call(a ?? '', b, c);
    case 'log':
      return host.log(a ?? '', b);
    case 'done':
      return void host.done(a);
    case 'fail':
      return void host.fail({ name: a ?? '', message: b, stack: c });
    default:
      return 'The host has no such operation';
  }
}

import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { callEngine, type EngineOptions } from './call-engine.js';
import { findMethod } from './methods.js';

interface Request {
  id: number;
  /** Absent where the CLI only confirms a `print`. */
  method?: string;
  params?: unknown;
}

/** Answers JSON-RPC, one message a line, until `input` ends: the protocol between Prisma's CLI and its engine. */
export async function serve(options: EngineOptions, input: Readable, output: Writable): Promise<void> {
  const send = (message: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  for await (const line of createInterface({ input })) {
    const { id, method, params }: Request = JSON.parse(line);
    if (method === undefined) continue;
    try {
      const result = await callEngine(options, async (engine) => findMethod(method)(engine, params));
      const content = standardOutput(result);
      if (content) send({ id: PRINT, method: 'print', params: { content } });
      send({ id, result: result ?? {} });
    } catch (error) {
      send({ id, error: toRpcError(error) });
    }
  }
}

/** Above every id that the CLI gives. */
const PRINT = 1_000_000;

/** The native engine has the CLI print what the WASM build returns. */
function standardOutput(result: unknown): string | undefined {
  const { stdout }: { stdout?: unknown } = typeof result === 'object' && result !== null ? result : {};
  return typeof stdout === 'string' ? stdout : undefined;
}

/** A user-facing error of the engine has a code: P1014, P3018 … */
function toRpcError(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return { code: 4466, message: 'See data', data: { is_panic: false, message, error_code: code, meta: null } };
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Context, createContext, Script } from 'node:vm';
import { InputError, type JsonValue } from '@drawbridge/piece-kit';

/** The limits that the library enforces for an expression. */
const LIMITS = { timeout: 1_000, stack: 500, sequence: 1_000_000 };
/** The library does not check the time within a regular expression. The pool usually terminates the process first; this limit is a fallback. */
const LAST_MS = 2_500;
const MAX_MESSAGE = 300;

/** The library expects these two functions on `window`. */
const PRELUDE = `
  const window = { btoa: (text) => toBase64(String(text)), atob: (text) => fromBase64(String(text)) };
  const module = { exports: {} }, exports = module.exports;`;
const EVALUATE = `
  const withoutFunctions = (key, value) => (value?._jsonata_lambda || value?._jsonata_function ? undefined : value);
  (async () => {
    try {
      const result = await module.exports(expression, JSON.parse(limits)).evaluate(JSON.parse(data));
      outcome = JSON.stringify({ result: JSON.stringify(result, withoutFunctions) });
    } catch (error) {
      const { message, position } = error ?? {};
      outcome = JSON.stringify({ message: String(message ?? error), position });
    }
  })();`;

let compiled: { library: Script; work: Script } | undefined;

/**
 * Returns the result of a JSONata expression, or null if it has none. The context contains only ECMAScript, cannot compile strings, and exchanges
 * only strings with this process. Otherwise an expression could reach the process through an object. Throws InputError for an expression that is
 * invalid, fails, or takes longer than a second. Only the limits of the process limit the time and memory of a single step.
 */
export function evaluate(expression: string, data: JsonValue): JsonValue {
  const { result, message, position } = outcomeOf(expression, data);
  if (message === undefined) return result === undefined ? null : (JSON.parse(result) as JsonValue);
  const at = position === undefined ? '' : ` (at character ${position})`;
  throw new InputError('expression', `fails: ${message.slice(0, MAX_MESSAGE)}${at}`);
}

interface Outcome {
  result?: string;
  message?: string;
  position?: number;
}

function outcomeOf(expression: string, data: JsonValue): Outcome {
  const { library, work } = (compiled ??= compile());
  const context = newContext({ expression, data: JSON.stringify(data), limits: JSON.stringify(LIMITS) });
  library.runInContext(context);
  try {
    work.runInContext(context, { timeout: LAST_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return { message: `a single step, such as a regular expression, takes longer than ${LAST_MS} ms. Simplify it` };
  }
  const outcome: unknown = context['outcome'];
  // JavaScript takes an object with a function as "then", such as a regular expression, for a promise, and this one never settles.
  const message = 'it never ends: an object has a function or a regular expression as "then". Rename that field';
  return typeof outcome === 'string' ? (JSON.parse(outcome) as Outcome) : { message };
}

/** Creates a new context for each expression, so that one expression cannot affect the next. */
function newContext(texts: Record<string, string>): Context {
  const ours = {
    toBase64: alone((text: string) => Buffer.from(text, 'latin1').toString('base64')),
    fromBase64: alone((text: string) => Buffer.from(text, 'base64').toString('latin1')),
  };
  return createContext(Object.assign(Object.create(null), texts, ours), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate', // Applies the timeout to awaited work as well.
  });
}

/** Removes the prototype, through which an expression could reach the Function constructor outside of the context. */
function alone<F extends object>(lent: F): F {
  return Object.setPrototypeOf(lent, null) as F;
}

/** Compiles the library, a single file without imports, within the context, so that all its objects belong to the context. */
function compile(): NonNullable<typeof compiled> {
  const text = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  return { library: new Script(`${PRELUDE}\n${text}`), work: new Script(EVALUATE) };
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Context, createContext, Script } from 'node:vm';
import { InputError, type JsonValue } from '@drawbridge/piece-kit';

/** What the library itself holds an expression to. */
const LIMITS = { timeout: 1_000, stack: 500, sequence: 1_000_000 };
/** In a regular expression it looks at no clock: who runs this ends the process, and sooner than this, for when nobody is left to. */
const LAST_MS = 2_500;
const MAX_MESSAGE = 300;

/** `window` is where the library looks for these two. */
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
 * What a JSONata expression makes of a value; null where it makes nothing. In a context of its own that has ECMAScript and nothing else,
 * in which no text becomes code, and across whose border texts go alone: no expression holds an object of ours, and by it the process.
 * Throws InputError for an expression that is none, fails, or goes on for longer than a second. What one step of it takes, of time and
 * of memory, only the end of the process bounds.
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
  work.runInContext(context, { timeout: LAST_MS });
  return JSON.parse(String(context['outcome'])) as Outcome;
}

/** A fresh one for each: what an expression might change there, nobody else sees. */
function newContext(texts: Record<string, string>): Context {
  const ours = {
    toBase64: alone((text: string) => Buffer.from(text, 'latin1').toString('base64')),
    fromBase64: alone((text: string) => Buffer.from(text, 'base64').toString('latin1')),
  };
  return createContext(Object.assign(Object.create(null), texts, ours), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate', // what it awaits ends within its time too
  });
}

/** Without the way from a function to what makes functions, outside of the context. */
function alone<F extends object>(lent: F): F {
  return Object.setPrototypeOf(lent, null) as F;
}

/** The library is one file that needs nothing: it becomes the context's own code, not ours lent to it. */
function compile(): NonNullable<typeof compiled> {
  const text = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  return { library: new Script(`${PRELUDE}\n${text}`), work: new Script(EVALUATE) };
}

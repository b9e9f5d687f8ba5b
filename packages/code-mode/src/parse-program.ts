import { getLineInfo, type Node, type Options, Parser, type Program, tokTypes } from 'acorn';
import { lenientParser, TOO_DEEP } from './lenient-parser.js';
import { toTree } from './syntax-tree.js';

/** The start of the function with the program as its body. It is on the first line of the program, so that line numbers stay the same. */
const FUNCTION_START = '(async function (input) {';
const FUNCTION_END = '\n})';
const MAX_MESSAGE = 300;
const SURPLUS = 'The program ends its own function: remove the surplus }';
/** The parser is recursive and throws this error when a program is nested several thousand levels deep. */
const OVERFLOW = 'Not enough stack space';

/** Thrown if the program is not JavaScript, or is nested too deeply. `line` and `column` are positions in the program, starting at 1. */
export class CodeSyntaxError extends Error {
  override readonly name = 'SyntaxError';
  readonly code = 'SYNTAX_ERROR';

  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

export interface Parsed {
  /** The statements of the program. */
  body: readonly Node[];
  /**
   * Set if the program contains a comment that begins with `<!--` or `-->`. Not all JavaScript engines treat these as comments, so the engine that
   * runs the program could execute code that the analysis ignored.
   */
  hasHtmlComment: boolean;
  /** Returns the line of a node, from 1. */
  lineOf(node: Node): number;
}

/** Parses the body of an async function. Throws CodeSyntaxError. Takes time proportional to the size of the program. */
export function parseProgram(code: string): Parsed {
  const text = `${FUNCTION_START}${code}${FUNCTION_END}`;
  let hasHtmlComment = false;
  const program = parse(text, (isBlock, _comment, start) => {
    hasHtmlComment ||= !isBlock && !text.startsWith('//', start);
  });
  const body = bodyOf(program);
  if (!body) throw new CodeSyntaxError(SURPLUS, ...toPosition(text, endOfFunction(program)));
  return { body, hasHtmlComment, lineOf: lines(text) };
}

function parse(text: string, onComment: Options['onComment']): Program {
  try {
    const parser = lenientParser(Parser, tokTypes.regexp);
    return parser.parse(text, { ecmaVersion: 'latest', sourceType: 'script', onComment });
  } catch (error) {
    throw toSyntaxError(error, text);
  }
}

/** Returns the statements of the program, or undefined if the program has closed the enclosing function, so that a part of it would run outside. */
function bodyOf({ body: [first, ...others] }: Program): readonly Node[] | undefined {
  if (others.length > 0 || first?.type !== 'ExpressionStatement') return undefined;
  const { expression } = first;
  return expression.type === 'FunctionExpression' ? expression.body.body : undefined;
}

/** Returns the index of the brace that closes the enclosing function, in which the program is the body. */
function endOfFunction({ body }: Program): number {
  const start = FUNCTION_START.indexOf('async');
  const own = toTree(body).nodes.find(({ node }) => node.type === 'FunctionExpression' && node.start === start);
  return (own?.node.end ?? 1) - 1;
}

function toSyntaxError(error: unknown, program: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'RangeError') return new CodeSyntaxError(TOO_DEEP, 1, 1);
  if (!('pos' in error) || typeof error.pos !== 'number') return error;
  const text = error.message.replace(/ \(\d+:\d+\)$/, '').slice(0, MAX_MESSAGE);
  const message = text.startsWith(OVERFLOW) ? TOO_DEEP : text;
  return new CodeSyntaxError(message, ...toPosition(program, error.pos));
}

/** Returns the line and column in the program. A position in FUNCTION_END, which is appended to the program, becomes the end of the program. */
function toPosition(text: string, offset: number): [number, number] {
  const last = text.length - FUNCTION_END.length;
  const { line, column } = getLineInfo(text, Math.min(offset, last));
  return [line, line === 1 ? Math.max(1, column + 1 - FUNCTION_START.length) : column + 1];
}

function lines(text: string): (node: Node) => number {
  const starts = [0];
  for (const { index } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + 1);
  return ({ start }) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= start) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

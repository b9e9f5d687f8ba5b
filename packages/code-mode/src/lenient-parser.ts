import { type Parser, type TokenType } from 'acorn';

/** The methods of the parser that are overridden here. The types of the package do not declare them. */
interface Internals {
  readonly input: string;
  pos: number;
  readonly labels: readonly unknown[];
  raise(offset: number, message: string): never;
  readWord1(): string;
  finishToken(type: TokenType, value: unknown): void;
  declareName(name: string, kind: number, offset: number): void;
  readRegexp(): void;
  parseLabeledStatement(node: { start: number }, ...rest: unknown[]): unknown;
  parseClass(node: { start: number }, ...rest: unknown[]): unknown;
  parseStatement(...given: unknown[]): unknown;
  parseMaybeAssign(...given: unknown[]): unknown;
  parseMaybeUnary(...given: unknown[]): unknown;
  parseExprOp(...given: unknown[]): unknown;
  parseNew(...given: unknown[]): unknown;
  parseBindingAtom(...given: unknown[]): unknown;
}

/** The methods that limit the depth of nesting. Every recursion of the parser calls one of them. */
const RECURSIVE = [
  'parseStatement',
  'parseMaybeAssign',
  'parseMaybeUnary',
  'parseExprOp',
  'parseNew',
  'parseBindingAtom',
] as const;
/**
 * Maximum number of nested calls of the methods in RECURSIVE. It leaves most of the stack free: if the engine has too little stack to compile a
 * regular expression of the parser, it terminates the whole process instead of only the thread.
 */
const MAX_DEPTH = 2_000;
export const TOO_DEEP = 'The program nests too deeply';

const MAX_LABELS = 50;
const MAX_CLASSES = 50;
const LINE_END = /[\n\r\u2028\u2029]/;

/**
 * Returns the parser without the checks that take quadratic time for a hostile program: repeated declarations, and the syntax inside regular
 * expressions. The engine that runs the program makes these checks. Labels and classes can be nested at most 50 levels deep.
 */
export function lenientParser(parser: typeof Parser, regexp: TokenType): typeof Parser {
  const Base = parser as unknown as new (...args: unknown[]) => Internals;
  class Lenient extends Base {
    private classes = 0;
    private depth = 0;

    constructor(...given: unknown[]) {
      super(...given);
      for (const name of RECURSIVE) this[name] = this.limited(this[name]);
    }

    private limited(parse: (...given: unknown[]) => unknown): (...given: unknown[]) => unknown {
      return (...given) => {
        if (this.depth >= MAX_DEPTH) this.raise(this.pos, TOO_DEEP);
        this.depth++;
        const parsed = parse.apply(this, given);
        this.depth--;
        return parsed;
      };
    }

    override declareName(): void {}

    override readRegexp(): void {
      const start = this.pos;
      this.pos = endOfPattern(this.input, start) ?? this.raise(start, 'Unterminated regular expression');
      const pattern = this.input.slice(start, this.pos++);
      const flags = this.readWord1();
      this.finishToken(regexp, { pattern, flags, value: null });
    }

    override parseLabeledStatement(node: { start: number }, ...rest: unknown[]): unknown {
      if (this.labels.length >= MAX_LABELS) this.raise(node.start, 'The program nests too many labels');
      return super.parseLabeledStatement(node, ...rest);
    }

    override parseClass(node: { start: number }, ...rest: unknown[]): unknown {
      if (++this.classes > MAX_CLASSES) this.raise(node.start, 'The program nests too many classes');
      const parsed = super.parseClass(node, ...rest);
      this.classes--;
      return parsed;
    }
  }
  return Lenient as unknown as typeof Parser;
}

/** Returns the index of the slash that ends a regular expression, or undefined if the line ends before it. */
function endOfPattern(input: string, start: number): number | undefined {
  let isClass = false;
  for (let at = start; at < input.length; at++) {
    const character = input[at]!;
    if (LINE_END.test(character)) return undefined;
    if (character === '\\') at++;
    else if (character === '[') isClass = true;
    else if (character === ']') isClass = false;
    else if (character === '/' && !isClass) return at;
    if (LINE_END.test(input[at] ?? '')) return undefined;
  }
  return undefined;
}

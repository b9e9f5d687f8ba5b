/** A stream of text, and whether a person sees it. */
type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

export interface OutputOptions {
  stdout: Stream;
  stderr: Stream;
  env: NodeJS.ProcessEnv;
  /** Prints JSON instead of text on stdout. */
  isJson: boolean;
}

const COLORS = { red: 31, green: 32, yellow: 33, bold: 1 } as const;
type Color = keyof typeof COLORS;

/** Prints results on stdout and messages on stderr. Texts of the server cannot contain control characters there. */
export class Output {
  /** Whether a result was printed. An error is then not printed as JSON, because a program that reads stdout expects one document. */
  hasPrinted = false;

  constructor(private readonly options: OutputOptions) {}

  get isJson(): boolean {
    return this.options.isJson;
  }

  /** Prints one result: as JSON on one line, or as text. */
  print(value: unknown, text: string): void {
    this.printColored(value, visible(text));
  }

  /** Prints one result. The text may contain colors; values from the server must come from `line`, which removes control characters. */
  printColored(value: unknown, text: string): void {
    this.hasPrinted = true;
    this.options.stdout.write(this.isJson ? `${toJson(value)}\n` : `${text}\n`);
  }

  /** Prints a message on stderr. */
  note(text: string): void {
    this.options.stderr.write(`${visible(text)}\n`);
  }

  error(text: string): void {
    this.options.stderr.write(`${paint('error:', 'red', this.hasColor(this.options.stderr))} ${visible(text)}\n`);
  }

  /** Returns the text in a color, if stdout shows colors. */
  color(text: string, color: Color): string {
    return paint(text, color, this.hasColor(this.options.stdout));
  }

  /** https://no-color.org: any value that is not empty disables colors. */
  private hasColor({ isTTY }: Stream): boolean {
    const { NO_COLOR, TERM } = this.options.env;
    return Boolean(isTTY) && !NO_COLOR && TERM !== 'dumb';
  }
}

const paint = (text: string, color: Color, isShown: boolean): string =>
  isShown ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;

/**
 * Matches control characters, and characters that reorder or hide their neighbors. Zero-width joiners are excluded, because words of some languages
 * and emoji contain them.
 */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Returns the text with control characters written as code points, so that it cannot control a terminal: `⟨U+001B⟩`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (mark) => `⟨U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** Returns the text on one line, so that it cannot imitate other lines of the output. */
export const line = (text: string): string => visible(text.replace(/[\r\n\t]+/g, ' '));

/** JSON.stringify keeps the control characters above U+007E, and terminals obey some of them. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(UNSEEN, (mark) =>
    Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** Returns rows with aligned columns, each on one line. */
export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(line));
  const widths = clean.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)), []);
  return clean
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A statement and the parameter values of one execution: strings, or bytes if they were sent in binary format. */
export interface Asked {
  sql: string;
  values: (string | Buffer | null)[];
}

const START_UP = 8;

/**
 * Parses the messages of a client to PostgreSQL (frontend/backend protocol 3.0, section 54.7). Calls `onStatement` for each executed statement: a
 * simple query, or a Bind of a parsed statement.
 */
export function frontendMessages(onStatement: (asked: Asked) => void): (bytes: Buffer) => void {
  const parsed = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isStarted = false;

  function take(type: string, body: Buffer): void {
    if (type === 'Q') onStatement({ sql: textAt(body, 0).text, values: [] });
    if (type === 'P') {
      const name = textAt(body, 0);
      parsed.set(name.text, textAt(body, name.next).text);
    }
    if (type === 'B') {
      const statement = textAt(body, textAt(body, 0).next);
      onStatement({ sql: parsed.get(statement.text) ?? '', values: valuesAt(body, statement.next) });
    }
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    if (!isStarted && rest.length >= START_UP && rest.length >= rest.readInt32BE(0)) {
      rest = rest.subarray(rest.readInt32BE(0));
      isStarted = true;
    }
    while (isStarted && rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      take(String.fromCharCode(rest[0]!), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}

function textAt(body: Buffer, from: number): { text: string; next: number } {
  const end = body.indexOf(0, from);
  return { text: body.toString('utf8', from, end), next: end + 1 };
}

function valuesAt(body: Buffer, from: number): (string | Buffer | null)[] {
  const formats = Array.from({ length: body.readInt16BE(from) }, (_, index) => body.readInt16BE(from + 2 + index * 2));
  let at = from + 2 + formats.length * 2;
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, (_, index) => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const value = body.subarray(at, at + length);
    at += length;
    const isBinary = (formats.length === 1 ? formats[0] : formats[index]) === 1;
    return isBinary ? Buffer.from(value) : value.toString('utf8');
  });
}

import { REQUESTS, type Resources } from './gen/resources.js';
import { listOf } from './list.js';
import { type RequestOptions, type Send, type Sent } from './request.js';
import { eventsOf, valuesOf } from './streams.js';

/** The properties of an operation besides its HTTP method and path. */
interface Special {
  /** Whether the object argument of the method is the body or the query. Without it the method has no object argument. */
  takes?: 'body' | 'query';
  /** The name of the query parameter that the argument after the path parameters becomes. */
  by?: string;
  /** Query parameters that every call sends. */
  fixed?: Record<string, unknown>;
  /** The key of the items in a page, if the operation returns a list. */
  items?: string;
  stream?: 'events' | 'lines';
  takesLong?: boolean;
}

type Method = (...args: unknown[]) => unknown;

/** Returns a resource of the API: an object with its methods. */
export function resource<Name extends keyof Resources>(send: Send, name: Name): Resources[Name] {
  const methods = Object.entries(REQUESTS[name] as Record<string, readonly [string, Special]>);
  return Object.fromEntries(methods.map(([method, of]) => [method, toMethod(send, of)])) as unknown as Resources[Name];
}

/** Returns a method with these arguments: the parameters of the path in their order, then the body or the query, then the RequestOptions. */
function toMethod(send: Send, [request, special]: readonly [string, Special]): Method {
  const [method = '', path = ''] = request.split(' ');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const { takes, by, fixed, items, stream, takesLong = false } = special;

  return (...args) => {
    const ids = args.splice(0, names.length + (by ? 1 : 0)).map((id, index) => requireText(id, names[index] ?? by!));
    const given = takes ? (args.shift() as object | undefined) : undefined;
    const options = args[0] as RequestOptions | undefined;
    const always = { ...fixed, ...(by && { [by]: ids.at(-1) }) };
    const body = takes === 'body' ? given : undefined;
    const sendWith = <Result>(query: object, read: Sent<Result>['read']): Promise<Result> => {
      const fullPath = withIds(path, ids) + toQuery({ ...always, ...query });
      const isRepeatable = method === 'GET' || hasKey(body);
      return send({ method, path: fullPath, body, isRepeatable, takesLong, read }, options);
    };
    const json = (query: object): Promise<unknown> => sendWith(query, (response) => response.json());

    const query = takes === 'query' ? (given ?? {}) : {};
    if (stream) return streamed(() => sendWith(query, (response) => response), stream);
    return items ? listOf(json, query, items) : json(query);
  };
}

/** The request is sent when the loop begins. */
async function* streamed(request: () => Promise<Response>, kind: 'events' | 'lines'): AsyncGenerator<unknown> {
  const response = await request();
  yield* kind === 'events' ? eventsOf(response) : valuesOf(response);
}

const hasKey = (body: object | undefined): boolean =>
  Boolean((body as { idempotencyKey?: string } | undefined)?.idempotencyKey);

function withIds(path: string, ids: readonly string[]): string {
  let next = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[next++] ?? ''));
}

function toQuery(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns an argument that becomes a part of the path. Throws TypeError if it is empty, because the path would reach another operation, and if it is
 * `.` or `..`, which `fetch` resolves (https://url.spec.whatwg.org/#double-dot-path-segment): `DELETE /workspaces/w1/integrations/..` would delete
 * the workspace.
 */
function requireText(value: unknown, name: string): string {
  if (typeof value === 'string' && !['', '.', '..'].includes(value)) return value;
  const given = typeof value === 'string' ? `'${value}'` : String(value);
  throw new TypeError(`${name} must be a non-empty string other than . and .. (got ${given})`);
}
